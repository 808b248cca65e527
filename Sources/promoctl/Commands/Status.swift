import ArgumentParser
import CrossPromoKit
import PromoWire

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what promod serves, how old it is, what comes next, and what went wrong.",
        discussion: "Example: promoctl status --json | jq .refresh.nextAt")

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        guard let status = try options.statusToShow(of: catalog.reference) else { return }
        var lines = StatusReport(status).lines(on: .standardOutput, now: .now).map(catalog.completed)
        if catalog.reference == nil, status.catalogs.count > 1 || !status.configuration.ignored.isEmpty {
            lines += [""] + CatalogTable(status).lines(on: .standardOutput, now: .now, hasFiles: false)
        }
        try Output.lines(lines)
    }
}
