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
        let answer: JSONValue
        do {
            answer = try clear(force: yes)
        } catch let error as PromoError where error.reason == ErrorReason.onlyCopy.rawValue {
            try confirm(error)
            answer = try clear(force: true)
        }
        if options.json { return try Output.json(answer) }
        guard try !options.status().catalogs.isEmpty else { return try Output.line(Unconfigured.text) }
        try Output.line("The cache is cleared. \"\(catalog.command("wait"))\" returns when there is a catalog again.")
    }

    private func clear(force: Bool) throws -> JSONValue {
        try options.client.ask(.command(.clear(force: force)), of: catalog.reference)
    }

    /// Returns if a person agrees on the terminal.
    private func confirm(_ refusal: PromoError) throws(CommandFailure) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw CommandFailure(
                .usage, reason: refusal.reason,
                "\(refusal.message) Without a terminal, this needs --yes. Nothing was cleared.")
        }
        Output.prompt("\(refusal.message) Continue? [y/N] ")
        guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw CommandFailure(.no, "Nothing was cleared.") }
    }
}
