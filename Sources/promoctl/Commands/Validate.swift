import ArgumentParser
import PromoOptions

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a catalog against the rules of promod.",
        discussion: """
            Runs "promod validate", which prints a line for each broken rule and for each warning, with the place and how to \
            fix it. The format of a catalog is in promod.catalog(5).

            Exit codes: 0 for a good catalog, 1 for warnings with --strict, 65 for broken rules, 66 if the file cannot be \
            read, 69 if the address cannot be fetched.

            Example: promoctl validate --strict catalog.json

            Example: promoctl validate https://example.com/catalog.json
            """)

    @OptionGroup var options: ValidateOptions

    func run() throws {
        try options.check()
        // After "promoctl" and "validate".
        let status = try DaemonProgram.run(["validate"] + CommandLine.arguments.dropFirst(2))
        guard status == 0 else { throw Failure(code: status) }
    }
}
