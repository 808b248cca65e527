import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct Refresh: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fetch the catalog now, and print the outcome.",
        discussion: """
            promod checks the origin at once, even in a pause after failures. Another refresh within a second gets the outcome \
            of the first; one within a minute fetches the whole catalog again.

            Exits with 0 if the catalog is up to date, and with 75 if it could not be fetched.

            Example: promoctl refresh && promoctl list
            """)

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        // A daemon that does not answer is noticed here, rather than after the time that a fetch may take.
        var before: CatalogStatus?
        do {
            before = try options.status(of: catalog.reference).catalogs.first
        } catch let error as PromoError where error.code == .unknownCatalog {
            // promod may read a new file only at the refresh.
        }
        var origin = before?.url ?? "the origin"
        let answer = try Progress.during("Fetching \(origin)") { try options.refresh(catalog.reference) }
        let result = answer.result
        if let target = result.redirectedTo { origin += ", which redirects to \(target)," }
        if options.json { try Output.json(answer.json) }
        guard result.outcome != .failed else {
            if options.json { throw CommandFailure(.tryLater) }
            let kept = before?.freshness.generation == nil ? "" : " The old catalog is kept."
            let retryAt = result.retryAt.map { LocalTime.text(seconds: Int($0.milliseconds / 1000)) }
            let later = retryAt.map { " promod tries again at \($0)." } ?? ""
            throw CommandFailure(
                .tryLater,
                "The refresh failed. \(result.error?.message.sentence ?? "")\(kept)\(later) \(result.error?.code.advice ?? "")"
            )
        }
        if options.json { return }
        let news = result.outcome == .unchanged ? "Unchanged: \(origin) confirmed the" : "Updated: \(origin) has a new"
        try Output.line("\(news) catalog, generation \(result.generation ?? "").".printable)
        if let error = result.error { Output.note("promoctl: \(error.message.printable)") }
    }
}
