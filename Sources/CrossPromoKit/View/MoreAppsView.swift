import FoundationEssentials
import Glibc
import Observation
import PromoSystem
import PromoWire

/// Draws "More Apps" on a terminal, in each state of the list.
@MainActor
public struct MoreAppsView {
    /// The service whose list is shown.
    public let service: PromoService

    /// Creates a view of the apps that an app may promote. Its service does not retain the delegate.
    public init(currentAppID: String, eventDelegate: (any PromoEventDelegate)? = nil) {
        self.init(config: PromoConfig(currentAppID: currentAppID), eventDelegate: eventDelegate)
    }

    /// Creates a view with a new service. The service does not retain the delegate.
    public init(config: PromoConfig, eventDelegate: (any PromoEventDelegate)? = nil) {
        self.init(service: PromoService(config: config, eventDelegate: eventDelegate))
    }

    /// Creates a view of an existing service.
    public init(service: PromoService) {
        self.service = service
    }

    /// The list in its current state, as text in which each line ends with a line feed.
    public func draw(on terminal: Terminal) -> String {
        content.text(on: terminal)
    }

    /// Loads the list, draws it on standard output, with pictures where the terminal draws them, and reports each row as seen.
    public func show() async {
        let terminal = terminalWithPictures()
        await service.loadApps()
        var content = content
        if terminal.hasGraphics { content.pictures = await service.pictures() }
        guard write(content.text(on: terminal)) else { return }
        for app in service.apps { service.handleAppImpression(app) }
        await service.finishImpressions()
    }

    /// Lets a person use the list on the terminal until they leave, or the task is cancelled: arrows or a number and Enter tap a row, which opens
    /// its page or shows the address, `r` tries again, and `q` or Esc leaves. Without a terminal as input and output, it is ``show()``.
    ///
    /// A signal that ends or stops the program, a crash and `exit(3)` give the terminal back first; the program's own handlers run then.
    public func run() async {
        guard Terminal.standardOutput.isTerminal, isatty(STDIN_FILENO) == 1 else { return await show() }
        let terminal = terminalWithPictures()
        await withTaskExecutorPreference(PromoExecutor.shared) { await interact(on: terminal) }
        await service.finishImpressions()
    }

    /// Standard output, for whose pictures the service asks if it draws them.
    private func terminalWithPictures() -> Terminal {
        let terminal = Terminal.standardOutput.askedForGraphics()
        if terminal.hasGraphics { service.loadIcons() }
        return terminal
    }

    /// What happens during an interaction.
    private enum Happening: Sendable {
        case key(Keyboard.Key)
        /// The list has changed, or a key has this outcome.
        case change(message: String? = nil)
        case end
    }

    private func interact(on terminal: Terminal) async {
        let isByLine = !terminal.hasCursor
        guard let keyboard = Keyboard(isByLine: isByLine) else { return await show() }
        Mistake.hold()
        defer {
            keyboard.end()
            Mistake.release()
        }
        let (happenings, happens) = AsyncStream<Happening>.makeStream()
        var menu = MoreAppsMenu(isByLine: isByLine)
        await withDiscardingTaskGroup { group in
            func start(_ work: @escaping @MainActor @Sendable () async -> Void) {
                group.addTask(executorPreference: PromoExecutor.shared) { await work() }
            }
            start { await service.loadApps() }
            start {
                for await key in keyboard.keys { happens.yield(.key(key)) }
                happens.yield(.end)
            }
            start {
                for await _ in Observations({ content }) { happens.yield(.change()) }
            }
            var drawn: [String] = []
            loop: for await happening in happenings {
                switch happening {
                case .end: break loop
                case .change(let message): if let message { menu.message = message }
                case .key(let key):
                    if key == .redraw { drawn = [] }
                    switch menu.take(key, count: service.apps.count) {
                    case .leave: break loop
                    // One that is under way is as good.
                    case .retry where service.isLoading: break
                    case .retry: start { happens.yield(.change(message: await service.forceRefresh())) }
                    case .tap(let row):
                        let (app, words) = (service.apps[row], content.words)
                        // Nobody waits for this who leaves.
                        Task(executorPreference: PromoExecutor.shared) {
                            let problem = await service.open(app)
                            happens.yield(.change(message: problem ?? words.opened(app.name)))
                        }
                    case nil: break
                    }
                }
                drawn = draw(&menu, hasGraphics: terminal.hasGraphics, after: drawn)
            }
            group.cancelAll()
        }
    }

    /// Draws the lines that are not drawn already, and returns the drawing.
    private func draw(_ menu: inout MoreAppsMenu, hasGraphics: Bool, after drawn: [String]) -> [String] {
        var terminal = Terminal.standardOutput
        terminal.hasGraphics = hasGraphics
        let (lines, rows) = menu.draw(content, on: terminal, now: .now)
        guard lines != drawn else { return drawn }
        let text = menu.isByLine ? "\n\(lines.joined(separator: "\n")) " : Terminal.changes(from: drawn, to: lines)
        guard write(text) else { return drawn }
        for app in service.apps[rows] { service.handleAppImpression(app) }
        return lines
    }

    private var content: MoreAppsContent { MoreAppsContent(of: service) }

    /// - Returns: whether all was written.
    @discardableResult
    private func write(_ text: String) -> Bool {
        Descriptor.writeAll(Array(text.utf8), to: STDOUT_FILENO)
    }
}
