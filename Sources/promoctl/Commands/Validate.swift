import ArgumentParser
import PromoWire

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a catalog by the rules that promod checks it by.",
        discussion: """
            Runs "promod validate", which prints a line for each broken rule and for each warning, with the spot and what is \
            to be done. The format of a catalog is in promod.catalog(5).

            Exit codes: 0 for a good catalog, 1 for warnings with --strict, 65 for broken rules, 66 if the file cannot be \
            read, 69 if the address cannot be fetched.

            Example: promoctl validate --strict catalog.json
            """)

    @Argument(
        help: ArgumentHelp("The catalog, a JSON file or an https address.", valueName: "catalog"),
        completion: .file(extensions: ["json"]))
    var place: String

    @Flag(help: "End with 1 if there are warnings.")
    var strict = false

    @Flag(help: "Print what was found as one line of JSON.")
    var json = false

    func validate() throws {
        if let refusal = HTTPSURL.refusal(ofPlace: place) { throw ValidationError(refusal) }
    }

    func run() throws {
        let status = try DaemonProgram.run(
            ["validate"] + (strict ? ["--strict"] : []) + (json ? ["--json"] : []) + ["--", place])
        guard status == 0 else { throw Failure(code: status) }
    }
}
