import ArgumentParser
import CrossPromoKit
import PromoWire

struct Clear: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Forget the cached catalog, in memory and on disk; it is fetched again as soon as that is allowed.",
        discussion: """
            If promod is offline, or could not fetch the last time, this drops the only copy there is: it says so, and on a \
            terminal it asks first.

            Example: promoctl clear && promoctl wait
            """)

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: CommonOptions

    func run() throws {
        if !yes, let loss = try loss() {
            if !options.json { Output.note("promoctl: \(loss)") }
            // A script has decided.
            if Confirmation.isPossible, !Confirmation.isGiven(to: "Clear it?") {
                throw Failure(.no, "Nothing was cleared.")
            }
        }
        let answer = try options.client.ask(.clear)
        if options.json { return try Output.json(answer) }
        try Output.line("The cached catalog is forgotten. \"promoctl wait\" returns when there is one again.")
    }

    /// What is lost if promod cannot fetch another copy; nil if it probably can.
    private func loss() throws -> String? {
        let status = try options.status()
        guard status.freshness.source == .origin, !status.isOnline || status.refresh.lastError != nil else {
            return nil
        }
        let reason = status.isOnline ? "could not fetch the last time" : "is offline"
        let apps = "\(status.apps) app\(status.apps == 1 ? "" : "s")"
        return "promod \(reason), so this drops the only copy of the catalog (\(apps))."
    }
}
