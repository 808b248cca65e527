import ArgumentParser
import CrossPromoKit
import PromoWire

struct Setup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a catalog on the web the one that promod keeps, and show it.",
        discussion: """
            Fetches the catalog, checks it, writes ~/.config/promod/config.toml, and has promod take it over. A wrong address \
            or a broken catalog changes nothing. Everything else in the file stays as it is.

            With --sample it prints a catalog to begin your own with instead. The format of a catalog is in \
            promod.catalog(5); "promoctl validate" checks one.

            Example: promoctl setup https://example.com/catalog.json

            Example: promoctl setup --sample > catalog.json
            """)

    @Argument(help: ArgumentHelp("Where the catalog is, an https address.", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp("Certificates in PEM to trust beside the system's, from now on.", valueName: "path"),
        completion: .file())
    var caFile: String?

    @Flag(help: "Print a sample catalog, to begin your own with.")
    var sample = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
        if sample && (url != nil || caFile != nil) {
            throw ValidationError("--sample only prints a catalog: leave the address and --ca-file out.")
        }
        guard sample || url != nil else {
            throw ValidationError("The address of a catalog is missing; --sample prints a catalog to begin with.")
        }
        if let url, HTTPSURL(url) == nil { throw ValidationError(HTTPSURL.refusal) }
    }

    func run() throws {
        guard let url, let address = HTTPSURL(url) else { return try printSample() }
        try configure(url)
        do {
            _ = try options.client.ask(.reload)
        } catch {
            throw Failure(
                code: Failure(error).code, "The configuration is written, and not in force yet. \(error.message)")
        }
        let status = try options.ask(.status) { json throws(MalformedResult) in try StatusResult(json) }.result
        guard status.refresh.url == address.description else {
            throw Failure(
                .refused,
                "The configuration is written, but promod keeps \(status.refresh.url ?? "the sample"): it was started with "
                    + "another catalog.url, on its command line or in its environment, and that counts more than the file."
            )
        }
        try fetch(address)
        _ = try ListReport(client: options.client, isJSON: options.json).show()
    }

    private func printSample() throws {
        let status = try DaemonProgram.run(["configure", "--sample"])
        guard status == 0 else { throw Failure(code: status) }
    }

    private func configure(_ url: String) throws {
        let status = try DaemonProgram.run(["configure", url] + (caFile.map { ["--ca-file", $0] } ?? []))
        // promod has said why; these are its own codes for what ends this command.
        switch status {
        case 0: return
        case 64: throw Failure(code: 64)
        case 69: throw Failure(.tryLater)
        case 73: throw Failure(.outputError)
        default: throw Failure(.refused)
        }
    }

    /// The reload has begun a fetch where the address is a new one, and this joins it; an old one is asked for what is new.
    private func fetch(_ address: HTTPSURL) throws {
        let result = try Progress.during("promod fetches \(address)") {
            try options.ask(.refresh(RefreshParameters()), timeout: DaemonClient.fetchTimeout) {
                json throws(MalformedResult) in try RefreshResult(json)
            }
        }.result
        guard result.generation == nil else { return }
        let reason = result.error?.message ?? "\"promoctl status\" says why."
        throw Failure(.tryLater, "The configuration is in force, and promod could not fetch the catalog yet. \(reason)")
    }
}
