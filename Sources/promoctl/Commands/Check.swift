import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that catalogs are fresh and nothing is broken.",
        discussion: """
            Prints one line. Checks all catalogs that have an address; one is fresh if it is at most --max-age old.

            Exit codes: 0 if all are fresh; 1 if one is older, or if there is none; 2 if something is broken that \
            does not pass by itself, whatever their age; 65 if promod keeps no such catalog; 69 if promod cannot be reached.

            Example: promoctl check --max-age 36h
            """)

    @Option(help: ArgumentHelp("Maximum age that counts as fresh, such as 90m or 2d.", valueName: "duration"))
    var maxAge = FreshnessCheck.maximumAge.configured

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        let maximumAge = try Duration(maxAge, of: "--max-age")
        let check = FreshnessCheck(try options.status(of: catalog.reference), maximumAge: maximumAge, now: .now)
        if options.json { try Output.json(check) } else { try Output.line(check.line.printable) }
        if check.isBroken { throw CommandFailure(.broken) }
        if !check.isFresh { throw CommandFailure(.no) }
    }
}
