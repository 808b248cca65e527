import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show problems, catalogs, addresses and the next refresh.",
        discussion: """
            First the problems, if there are any. Then a row for each catalog: its state (fresh, expired, loading or \
            empty), its apps, its age, and when promod checks next; and its address, and the file that sets it.

            Example: promoctl status --json | jq -r '.problems[].text'
            """)

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        let answer = try options.ask(.status, of: catalog.reference, as: StatusResult.self)
        if options.json { return try Output.json(answer.json) }
        try Output.lines(StatusReport(answer.result, now: .now).lines(on: .standardOutput))
    }
}
