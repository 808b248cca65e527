import ArgumentParser
import CrossPromoKit
import PromoWire

struct Setup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a catalog on the web the one that promod keeps, and show it.",
        discussion: """
            Fetches the catalog, checks it, writes the configuration file that promod reads, and has promod take it over. A \
            wrong address or a broken catalog changes nothing. Everything else in the file stays as it is. With --remove the \
            address is taken out of the file, and promod serves its sample.

            With --sample it prints a catalog to begin your own with instead. The format of a catalog is in \
            promod.catalog(5); "promoctl validate" checks one.

            Ends with 65 if the same command later is of no use (there is no catalog at the address, or the certificate is \
            not trusted), and with 75 if it may be (no network, or the server is down).

            Example: promoctl setup https://example.com/catalog.json

            Example: promoctl setup --sample > catalog.json
            """)

    @Argument(help: ArgumentHelp("Where the catalog is, an https address.", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp("Certificates in PEM to trust beside the system's, from now on.", valueName: "path"),
        completion: .file())
    var caFile: String?

    @Flag(help: "Take the address out of the configuration again.")
    var remove = false

    @Flag(help: "Print a sample catalog, to begin your own with.")
    var sample = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
        if sample && (url != nil || caFile != nil || remove) {
            throw ValidationError("--sample only prints a catalog: leave the address, --ca-file and --remove out.")
        }
        if remove && (url != nil || caFile != nil) {
            throw ValidationError("--remove takes the address out: leave the address and --ca-file out.")
        }
        guard sample || remove || url != nil else {
            throw ValidationError("The address of a catalog is missing; --sample prints a catalog to begin with.")
        }
        if let url, HTTPSURL(url) == nil { throw ValidationError(HTTPSURL.refusal(of: url)) }
    }

    func run() throws {
        if sample { return try printSample() }
        let before = try statusIfReachable()
        guard let url, let address = HTTPSURL(url) else { return try remove(before) }
        let report = try Progress.during("Fetching \(address)") {
            try configure(before, caFile.map { ["--ca-file", $0] } ?? [], address: url)
        }
        try end(with: report, address)
        try reload(after: "The configuration is written")
        let status = try options.status()
        guard status.refresh.url == address.description else {
            throw Failure(
                .refused,
                "The configuration is written, but promod keeps \(status.refresh.url ?? "the sample"): it was started with "
                    + "another catalog.url, on its command line or in its environment, and that counts more than the file."
            )
        }
        try show(address)
    }

    private func printSample() throws {
        let status = try DaemonProgram.run(["configure", "--sample"])
        guard status == 0 else { throw Failure(code: status) }
    }

    // MARK: The file

    /// What promod says of itself; nil if it is not there, and then it finds the file when it starts.
    private func statusIfReachable() throws -> StatusResult? {
        do {
            return try options.status()
        } catch let error as PromoError where error.code == .daemonUnreachable {
            return nil
        }
    }

    /// Has promod's program change the file that the running promod reads.
    private func configure(_ status: StatusResult?, _ more: [String], address: String?) throws -> ConfigureReport {
        let arguments = ["configure", "--json"] + more + DaemonProgram.places(status)
        let (output, code) = try DaemonProgram.run(
            arguments + (address == nil ? ["--remove"] : ["--", "-"]), input: address ?? "")
        do {
            return try ConfigureReport(try JSONDocument(output, maximumDepth: 8).root)
        } catch {
            // It has said why on standard error.
            throw Failure(
                .unreachable, "\"promod configure\" ended with \(code). Are promod and promoctl of the same version?")
        }
    }

    /// Tells what came of the change; one that was refused ends the command.
    private func end(with report: ConfigureReport, _ address: HTTPSURL? = nil) throws {
        if !options.json { for line in lines(of: report, address) { Output.note(line.printable) } }
        guard let refusal = report.refusal else { return }
        let code: Failure.Code =
            refusal.code == "not-written" ? .outputError : refusal.isLasting ? .refused : .tryLater
        let isListed = !options.json && report.catalog?.errors.isEmpty == false
        throw Failure(
            code: code.rawValue, reason: refusal.code,
            isListed ? "promod does not take this catalog, and nothing was changed." : refusal.message + hint(code))
    }

    private func hint(_ code: Failure.Code) -> String {
        code == .tryLater ? " Try again later; \"promoctl doctor\" looks closer." : ""
    }

    private func lines(of report: ConfigureReport, _ address: HTTPSURL?) -> [String] {
        var lines: [String] = []
        if let catalog = report.catalog {
            let apps = catalog.content.map { "good, \($0.apps) app\($0.apps == 1 ? "" : "s")" }
            lines.append("\(catalog.name): \(apps ?? "not a catalog, or one that breaks rules")")
            lines += catalog.errors.map { "  \($0.line)" }
            lines += catalog.warnings.map { "  \($0.position): warning: \($0.text)" }
        }
        if report.refusal == nil, let file = report.file {
            let same = address == nil ? "No catalog.url stands in \(file)" : "\(file) says so already"
            lines.append(report.isChanged ? "Wrote \(file)" : same)
        }
        if report.refusal == nil, address?.host == "raw.githubusercontent.com" {
            lines.append(
                "GitHub limits how often an address may ask for its raw files. For many users publish the catalog with "
                    + "GitHub Pages or behind a CDN.")
        }
        return lines
    }

    // MARK: The daemon

    private func reload(after what: String) throws {
        do {
            _ = try options.client.ask(.reload)
        } catch {
            throw Failure(
                code: Failure(error).code, reason: error.reason, "\(what), and not in force yet. \(error.message)")
        }
    }

    /// Shows the list, which is there unless promod could not find or keep what was fetched.
    private func show(_ address: HTTPSURL) throws {
        let freshness = try Progress.during("promod fetches \(address)") {
            try options.ask(.list(ListParameters(limit: 1, wait: true)), timeout: DaemonClient.fetchTimeout) {
                json throws(MalformedResult) in try Freshness(json)
            }
        }.result
        guard freshness.generation != nil else {
            let reason = try options.status().refresh.lastError?.message ?? "\"promoctl status\" says why."
            throw Failure(
                .tryLater, "The configuration is in force, and promod could not fetch the catalog yet. \(reason)")
        }
        _ = try ListReport(client: options.client, isJSON: options.json).show()
    }

    private func remove(_ before: StatusResult?) throws {
        try end(with: try configure(before, [], address: nil))
        try reload(after: "The address is removed")
        let status = try options.status()
        if let url = status.refresh.url {
            throw Failure(
                .refused,
                "promod keeps \(url): catalog.url is set elsewhere too. \"promod --print-configuration\" shows where.")
        }
        if options.json { return try Output.json(try options.client.ask(.status)) }
        try Output.line("promod serves its sample catalog again.")
    }
}
