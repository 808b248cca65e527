import ArgumentParser
import CrossPromoKit
import Glibc
import PromoWire

struct Clear: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Clear a cached catalog, and have it fetched again.",
        discussion: """
            If that removes the only copy, because promod is offline or its last fetch failed, the command asks first; without \
            a terminal it needs --yes.

            Example: promoctl clear && promoctl wait
            """)

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        if !yes, let loss = try loss() { try confirm(loss) }
        let answer = try options.client.ask(.command(.clear()), of: catalog.reference)
        if options.json { return try Output.json(answer) }
        guard try !options.status().catalogs.isEmpty else { return try Output.line(Unconfigured.text) }
        try Output.line("The cache is cleared. \"\(catalog.command("wait"))\" returns when there is a catalog again.")
    }

    /// Returns if a person agrees on the terminal.
    private func confirm(_ loss: String) throws(CommandFailure) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw CommandFailure(.usage, "\(loss) Without a terminal, this needs --yes. Nothing was cleared.")
        }
        Output.prompt("\(loss.printable) Continue? [y/N] ")
        guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw CommandFailure(.no, "Nothing was cleared.") }
    }

    /// A warning that the only copy would be lost; nil if promod can probably fetch another.
    private func loss() throws -> String? {
        let status = try options.status()
        guard let kept = status.catalog(catalog.reference), kept.freshness.source == .origin,
            !status.isOnline || kept.failures > 0
        else { return nil }
        let apps = kept.apps.counting("app")
        let reason = status.isOnline ? "The last fetch failed" : "promod is offline"
        return "\(reason), so this removes the only copy of the catalog (\(apps))."
    }
}
