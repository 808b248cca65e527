import ArgumentParser
import CrossPromoKit
import PromoWire

struct Clear: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Clear the cached catalog, in memory and on disk; it is fetched again as soon as that is allowed.",
        discussion: """
            If promod is offline, or its last fetch failed, this removes the only copy: the command says so, and on a terminal \
            it asks first.

            Example: promoctl clear && promoctl wait
            """)

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var options: CommonOptions

    func run() throws {
        if !yes, let loss = try loss() {
            if !options.json { Output.note("promoctl: \(loss)") }
            // A script is not asked: its author has decided.
            if Confirmation.isPossible, !Confirmation.isGiven(to: "Clear it?") {
                throw Failure(.no, "Nothing was cleared.")
            }
        }
        let answer = try options.client.ask(.clear)
        if options.json { return try Output.json(answer) }
        try Output.line("The cached catalog is cleared. \"promoctl wait\" returns when there is one again.")
    }

    /// A warning that the only copy would be lost; nil if promod can probably fetch another.
    private func loss() throws -> String? {
        let status = try options.status()
        guard status.freshness.source == .origin, !status.isOnline || status.refresh.lastError != nil else {
            return nil
        }
        let reason = status.isOnline ? "The last fetch failed" : "promod is offline"
        let apps = "\(status.apps) app\(status.apps == 1 ? "" : "s")"
        return "\(reason), so this removes the only copy of the catalog (\(apps))."
    }
}
