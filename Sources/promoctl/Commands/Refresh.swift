import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct Refresh: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fetch the catalog now, and print the outcome.",
        discussion: """
            promod asks at once, even in a pause after failures. A second refresh within a second gets the outcome of the first; \
            a second one within a minute fetches the whole catalog again.

            Exits with 0 if the catalog is up to date, and with 75 if it could not be fetched.

            Example: promoctl refresh && promoctl list
            """)

    @Flag(help: "Do not wait for the outcome.")
    var noWait = false

    @OptionGroup var host: HostOption
    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        // A daemon that does not answer is noticed here, rather than after the time that a fetch may take.
        let before = try options.status().catalog(catalog.reference)
        var origin = before?.url ?? "the catalog"
        let answer = try Progress.during("Fetching \(origin)") {
            try options.ask(
                .command(.refresh(RefreshParameters(wait: !noWait, host: host.host))), of: catalog.reference,
                timeout: DaemonClient.fetchTimeout, as: RefreshResult.self)
        }
        if let target = answer.result.redirectedTo { origin += ", which redirects to \(target)," }
        if options.json { try Output.json(answer.json) }
        let result = answer.result
        let later = result.retryAt.map { " promod tries again at \(LocalTime.short($0, now: .now))." } ?? ""
        switch result.outcome {
        case .updated: try say("Updated: \(origin) has a new catalog, generation \(result.generation ?? "").")
        case .unchanged: try say("Unchanged: \(origin) confirmed the catalog, generation \(result.generation ?? "").")
        case .started: try say("Started: promod is fetching \(origin).")
        case .failed:
            let kept = before?.freshness.generation == nil ? "" : " The old catalog is kept."
            throw failure("The refresh failed. \(result.error?.advised ?? "")\(kept)\(later)")
        }
        if !options.json, let error = result.error { Output.note("promoctl: \(error.message.printable)") }
    }

    private func say(_ text: String) throws {
        if !options.json { try Output.line(text.printable) }
    }

    private func failure(_ message: String) -> Failure {
        Failure(.tryLater, options.json ? nil : message)
    }
}
