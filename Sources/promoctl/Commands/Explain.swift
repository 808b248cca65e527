import ArgumentParser
import CrossPromoKit
import PromoWire

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say why the data is as old as it is, and what decides when promod asks again.",
        discussion: """
            Everything in it comes from "promoctl status", whose result it prints with --json. The rules that it names are in \
            promod-schedule(7).

            Example: promoctl explain
            """)

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        guard let status = try options.statusToShow(of: catalog.reference) else { return }
        var paragraphs = Explanation(of: status, now: .now).paragraphs
        if let error = status.refresh.lastError, status.refresh.reason != .retryAfter {
            paragraphs.append(error.advice)
        }
        let columns = Terminal.standardOutput.columns
        try Output.lines(paragraphs.flatMap { catalog.completed($0).printable.wrapped(to: columns) + [""] }.dropLast())
    }
}
