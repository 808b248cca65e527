import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that the catalogs are fresh enough and nothing is broken, for monitoring and scripts.",
        discussion: """
            Prints one line. Fresh enough is what is at most --max-age old, 48h by default. Without --catalog, all catalogs that have an address are checked.

            Exit codes: 0 if the catalogs are no older than --max-age; 1 if one is older, or if there is none; 2, \
            whatever their age, if the configuration is broken or the review history cannot be used; 64 wrong usage; 65 if \
            promod keeps no such catalog; 69 if promod cannot be reached.

            Example: promoctl check --max-age 48h
            """)

    @Option(help: ArgumentHelp("The age that is still fresh enough, such as 90m, 48h or 2d.", valueName: "duration"))
    var maxAge = "48h"

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func validate() throws {
        _ = try Duration(maxAge, of: "--max-age")
    }

    func run() throws {
        let status = try options.status(of: catalog.reference)
        let found =
            if let reference = catalog.reference {
                [status.catalog(reference)].compactMap(\.self)
            } else {
                status.catalogs.filter { $0.refresh.url != nil || $0.error != nil }
            }
        let check = FreshnessCheck(
            found, of: status, maximumAge: try Duration(maxAge, of: "--max-age"), now: .now)
        if options.json {
            try Output.json(bytes: check.json[...])
        } else {
            try Output.line(check.line.printable)
        }
        if !check.problems.isEmpty { throw Failure(.broken) }
        if !check.isFresh { throw Failure(.no) }
    }
}
