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
    /// The title of the action that tries again, which is shown while that is useful. The host app performs it with
    /// ``PromoService/forceRefresh()``.
    public var retryTitle = "Try Again"

    /// Creates a view of the apps that an app may promote.
    public init(currentAppID: String) {
        self.init(config: PromoConfig(currentAppID: currentAppID))
    }

    /// Creates a view with a new service.
    public init(config: PromoConfig) {
        self.init(config: config, eventDelegate: nil)
    }

    /// Creates a view with a new service. The service does not retain the delegate.
    public init(config: PromoConfig, eventDelegate: (any PromoEventDelegate)?) {
        self.init(service: PromoService(config: config, eventDelegate: eventDelegate))
    }

    /// Creates a view of an existing service.
    public init(service: PromoService) {
        self.service = service
    }

    /// The list in its current state, as text in which each line ends with a line feed.
    public func draw(on terminal: Terminal) -> String {
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        return content.lines(on: terminal, now: now).map { $0 + "\n" }.joined()
    }

    /// Loads the list, draws it on standard output, and reports each row as seen.
    public func show() async {
        await service.loadApps()
        write(draw(on: .standardOutput))
        for app in service.apps { service.handleAppImpression(app) }
        await service.finishImpressions()
    }

    /// Draws the list on standard output, loads it, and draws it again whenever it changes, until the task is cancelled.
    public func run() async {
        await withTaskExecutorPreference(PromoExecutor.shared) {
            await withDiscardingTaskGroup { group in
                group.addTask(executorPreference: PromoExecutor.shared) { await service.loadApps() }
                await drawChanges()
            }
        }
    }

    private func drawChanges() async {
        let terminal = Terminal.standardOutput
        var drawn = ""
        for await drawing in Observations({ draw(on: terminal) }) where drawing != drawn {
            // On a terminal, this erases the last drawing, but not the part of it that has scrolled off the screen.
            let lines = drawn.count { $0 == "\n" }
            write((terminal.columns != nil && lines > 0 ? "\u{1B}[\(lines)A\u{1B}[J" : "") + drawing)
            drawn = drawing
            for app in service.apps { service.handleAppImpression(app) }
            if Task.isCancelled { break }
        }
    }

    private var content: MoreAppsContent {
        var content = MoreAppsContent()
        content.retry = retryTitle
        content.apps = service.apps
        content.state = service.state
        content.error = service.error
        content.listing = service.listing
        content.host = service.config.host
        content.language = service.config.resolvedLanguage
        return content
    }

    private func write(_ text: String) {
        _ = Descriptor.writeAll(Array(text.utf8), to: STDOUT_FILENO)
    }
}
