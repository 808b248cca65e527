import ArgumentParser
import CrossPromoKit
import PromoWire

struct Catalogs: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "List the catalogs that promod keeps, how old each is, where it is configured, and what is wrong with it.",
        discussion: """
            Each comes from a file promod/catalogs.d/NAME.toml, which "promoctl setup" writes or a package installs. They stand in \
            the order in which they count. With --json it prints the array "catalogs" of "promoctl status --json".

            Example: promoctl catalogs
            """)

    @OptionGroup var options: CommonOptions

    func run() throws {
        let answer = try options.ask(.status, as: StatusResult.self)
        if options.json {
            guard let catalogs = answer.json["catalogs"] else { return }
            return try Output.json(catalogs)
        }
        let status = answer.result
        if status.catalogs.isEmpty { try Output.line(Unconfigured.text + "\n") }
        let table = CatalogTable(status)
        try Output.lines(table.lines(on: .standardOutput, now: .now, hasFiles: true))
    }
}
