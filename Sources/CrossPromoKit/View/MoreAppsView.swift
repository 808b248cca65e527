import FoundationEssentials
import Glibc
import Observation
import PromoWire

/// "More Apps" drawn for a terminal: the list in each of its states.
@MainActor
public struct MoreAppsView {
    /// The service whose list is shown.
    public let service: PromoService
    /// What a person does to try again, shown while that makes sense; the host app calls ``PromoService/forceRefresh()`` for it.
    public var retryTitle = "Try Again"
    /// How many rows are shown at most; nil for all.
    package var limit: Int?

    /// The apps that an app may promote.
    public init(currentAppID: String) {
        self.init(config: PromoConfig(currentAppID: currentAppID))
    }

    /// The apps of a configuration.
    public init(config: PromoConfig) {
        self.init(config: config, eventDelegate: nil)
    }

    /// The apps of a configuration, with somebody who hears of impressions and taps and is held weakly.
    public init(config: PromoConfig, eventDelegate: (any PromoEventDelegate)?) {
        self.init(service: PromoService(config: config, eventDelegate: eventDelegate))
    }

    /// The list of a service that somebody else holds too.
    public init(service: PromoService) {
        self.service = service
    }

    /// The list as it stands, each line ended by a line feed.
    public func draw(on terminal: Terminal) -> String {
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        return content.lines(on: terminal, now: now).map { $0 + "\n" }.joined()
    }

    /// Loads the list, draws it on standard output, and counts each row as seen.
    public func show() async {
        await service.loadApps()
        write(draw(on: .standardOutput))
        for app in service.apps { service.handleAppImpression(app) }
        await service.finishImpressions()
    }

    /// Draws the list on standard output, loads it, and draws it anew whenever it changes, until the task is cancelled.
    public func run() async {
        let terminal = Terminal.standardOutput
        async let load: Void = service.loadApps()
        var drawn = ""
        for await drawing in Observations({ draw(on: terminal) }) where drawing != drawn {
            // Over the last drawing, where there is a terminal; what is longer than the screen stays above it.
            let lines = drawn.count { $0 == "\n" }
            write((terminal.columns != nil && lines > 0 ? "\u{1B}[\(lines)A\u{1B}[J" : "") + drawing)
            drawn = drawing
            for app in service.apps { service.handleAppImpression(app) }
            if Task.isCancelled { break }
        }
        await load
    }

    /// What is shown, as a value.
    package var content: MoreAppsContent {
        var content = MoreAppsContent()
        content.apps = service.apps
        content.state = service.state
        content.error = service.error
        content.listing = service.listing
        content.host = service.config.host
        content.language = service.config.resolvedLanguage
        content.retry = retryTitle
        content.limit = limit
        return content
    }

    private func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }
}
