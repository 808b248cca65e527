import ArgumentParser
import PromoCore
import PromoDaemon
import PromoWire

struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign a catalog.",
        discussion: """
            Checks the catalog, adds its member "signature" or replaces it, and prints the result; everything else stays as it is, \
            byte for byte. A catalog that is changed afterwards, even by a blank, has to be signed again, so sign last.

            Exit codes: 0 done; 64 wrong usage; 65 the catalog breaks rules, or the key is not one; 66 a file cannot be read; \
            74 the output cannot be written.

            Example: promod sign --key catalog.key catalog.json > signed.json
            """)

    @Option(
        help: ArgumentHelp(
            "The file of the private key that \"promod generate-key\" made; required.", valueName: "file"),
        completion: .file())
    var key: String

    @Option(
        help: ArgumentHelp(
            "How long the signature is valid, such as 168h; after that the catalog counts as expired. By default it has no end.",
            valueName: "duration"))
    var goodFor: String?

    @Argument(
        help: ArgumentHelp("The catalog, a JSON file.", valueName: "catalog"), completion: .file(extensions: ["json"]))
    var catalog: String

    func validate() throws {
        guard let goodFor else { return }
        guard let duration = Duration(configured: goodFor), duration >= .seconds(3600) else {
            throw ValidationError(
                "--good-for takes a duration from 1h, such as 168h, not \"\(goodFor.printable)\".")
        }
    }

    func run() throws {
        let key = try PrivateKey.read(key)
        let bytes = try InputFile.read(catalog, maximumBytes: InputFile.maximumCatalog)
        let checked = FetchedCatalog(name: catalog, bytes: bytes)
        guard checked.failure == nil else {
            for line in checked.report.lines { StandardError.write(line) }
            throw ArgumentParser.ExitCode(65)
        }
        let now = ProcessSetup.now()
        let signed = try CatalogSignature.sign(
            bytes, with: key, at: now, until: goodFor.flatMap(Duration.init(configured:)).map { now + $0 })
        for warning in FetchedCatalog(name: catalog, bytes: signed).report.warnings where warning.pointer.isEmpty {
            StandardError.write("promod: warning: \(warning.message)")
        }
        try StandardOutput.write(String(decoding: signed, as: UTF8.self))
    }
}
