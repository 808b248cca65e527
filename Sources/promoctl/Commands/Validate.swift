import ArgumentParser
import PromoWire

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

    @Argument(
        help: ArgumentHelp(
            "The catalog: a JSON file, - for the standard input, or an https address.", valueName: "catalog"),
        completion: .file(extensions: ["json"]))
    var place: String

    @Option(
        help: ArgumentHelp(
            "A key, as \"promod generate-key\" prints it, with which the catalog has to be signed.", valueName: "key"))
    var publicKey: String?

    @Option(
        help: ArgumentHelp(
            "Trust the certificates in this PEM file, besides the system's, at an address.", valueName: "file"),
        completion: .file())
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "Fetch through this proxy, such as http://proxy.example:3128, or \"direct\" for none.", valueName: "address"
        ))
    var proxy: String?

    @Option(
        help: ArgumentHelp(
            "Write a web page to this file that shows what people will see; its icons are fetched.", valueName: "file"),
        completion: .file(extensions: ["html"]))
    var page: String?

    @Option(help: ArgumentHelp("The language of the page, such as ko or ja.", valueName: "tag"))
    var language: String?

    @Flag(help: "Exit with 1 if there are warnings.")
    var strict = false

    @Flag(help: "Print the findings as one line of JSON.")
    var json = false

    func validate() throws {
        if let refusal = HTTPSURL.refusal(ofPlace: place) { throw ValidationError(refusal) }
    }

    func run() throws {
        let status = try DaemonProgram.run(
            ["validate"] + (publicKey.map { ["--public-key", $0] } ?? [])
                + (caFile.map { ["--ca-file", $0] } ?? []) + (proxy.map { ["--proxy", $0] } ?? [])
                + (page.map { ["--page", $0] } ?? []) + (language.map { ["--language", $0] } ?? [])
                + (strict ? ["--strict"] : [])
                + (json ? ["--json"] : []) + ["--", place])
        guard status == 0 else { throw Failure(code: status) }
    }
}
