import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct Refresh: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fetch the catalog now, and print the outcome.",
        discussion: """
            promod checks the origin at once, even in a pause after failures. A second refresh within a minute fetches the \
            whole catalog again.

            Example: promoctl refresh && promoctl list
            """)

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        // A daemon that does not answer is noticed here, rather than after the time that a fetch may take.
        let before = try options.kept(catalog.reference)
        var origin = before?.url ?? "the origin"
        let answer = try Progress.during("Fetching \(origin)") { try options.refresh(catalog.reference) }
        let result = answer.result
        if let target = result.redirectedTo { origin += ", which redirects to \(target)," }
        if options.json { try Output.json(answer.json) }
        let deferral = result.deferral(of: before)
        if let failure = result.failure {
            if options.json { throw CommandFailure(.tryLater) }
            let kept = before?.freshness.generation == nil ? "" : " The old catalog is kept."
            let later = result.retryAt.map { " promod tries again at \(LocalTime.short($0, now: .now))." } ?? ""
            let advice = try options.advice(on: failure, of: catalog.reference)
            throw CommandFailure(
                .tryLater,
                deferral.map { "\($0) The attempt before failed: \(failure.message.sentence)\(kept)" }
                    ?? "The refresh failed. \(failure.message.sentence)\(kept)\(later)\(advice)")
        }
        if options.json { return }
        let news = result.outcome == .updated ? "Updated: \(origin) has a new" : "Unchanged: \(origin) confirmed the"
        try Output.line((deferral ?? "\(news) catalog, generation \(result.generation ?? "").").printable)
        if let error = result.error { Output.note("promoctl: \(error.message.printable)") }
    }
}

extension RefreshResult {
    /// Why the catalog could not be fetched, now or at the attempt before a deferral; nil if it could.
    var failure: Failure? { outcome == .failed || outcome == .deferred && error?.code != .storage ? error : nil }

    /// That the origin was not asked, until when and why, in a sentence; nil if it was asked.
    func deferral(of catalog: CatalogStatus?) -> String? {
        guard outcome == .deferred else { return nil }
        let origin = "\(catalog?.url ?? "The origin") was not asked, because it"
        guard catalog?.nextReason == .retryAfter else { return "\(origin) was asked a moment ago." }
        let time = retryAt.map { "; a refresh asks it again from \(LocalTime.short($0, now: .now)) on" } ?? ""
        return "\(origin) asked promod to wait\(time)."
    }
}
