import ArgumentParser
import CrossPromoKit
import PromoWire

struct Setup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give promod the address of your catalog, and show the list.",
        discussion: """
            Fetches the catalog, checks it, writes its address into the configuration file that promod reads, and reloads \
            promod. A wrong address or a broken catalog changes nothing. Everything else in the file stays as it is. With \
            --remove the address is removed from the file, and promod serves its sample.

            With --sample it only prints a sample catalog to start from. The format of a catalog is in promod.catalog(5); \
            "promoctl validate" checks one.

            Exits with 65 if the same command would fail later too (there is no catalog at the address, or the certificate is \
            not trusted), and with 75 if it may succeed later (no network, or the server is down).

            Example: promoctl setup https://example.com/catalog.json

            Example: promoctl setup --sample > catalog.json
            """)

    @Argument(help: ArgumentHelp("The catalog's address, which begins with https.", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "A PEM file of certificates to trust in addition to the system's, from now on.", valueName: "path"),
        completion: .file())
    var caFile: String?

    @Flag(help: "Remove the address from the configuration.")
    var remove = false

    @Flag(help: "Print a sample catalog to start from.")
    var sample = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
        if sample && (url != nil || caFile != nil || remove) {
            throw ValidationError("--sample only prints a catalog; it takes no address, --ca-file or --remove.")
        }
        if remove && (url != nil || caFile != nil) {
            throw ValidationError("--remove removes the address; it takes no address or --ca-file.")
        }
        guard sample || remove || url != nil else {
            throw ValidationError("The address of a catalog is missing; --sample prints a catalog to start from.")
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
                    + "another catalog.url, on its command line or in its environment, and that overrides the file."
            )
        }
        try show(address)
    }

    private func printSample() throws {
        let status = try DaemonProgram.run(["configure", "--sample"])
        guard status == 0 else { throw Failure(code: status) }
    }

    // MARK: The file

    /// The status; nil if promod is not running, and then it reads the file when it starts.
    private func statusIfReachable() throws -> StatusResult? {
        do {
            return try options.status()
        } catch let error as PromoError where error.code == .daemonUnreachable {
            return nil
        }
    }

    /// Runs `promod configure` on the file that the running promod reads.
    private func configure(_ status: StatusResult?, _ more: [String], address: String?) throws -> ConfigureReport {
        let arguments = ["configure", "--json"] + more + DaemonProgram.places(status)
        let (output, code) = try DaemonProgram.run(
            arguments + (address == nil ? ["--remove"] : ["--", "-"]), input: address ?? "")
        do {
            return try ConfigureReport(try JSONDocument(output, maximumDepth: 8).root)
        } catch {
            // The program has printed why on standard error.
            throw Failure(
                .unreachable, "\"promod configure\" exited with \(code). Do promod and promoctl have the same version?")
        }
    }

    /// Prints the outcome of the change, and throws if it was refused.
    private func end(with report: ConfigureReport, _ address: HTTPSURL? = nil) throws {
        if !options.json { for line in lines(of: report, address) { Output.note(line.printable) } }
        guard let refusal = report.refusal else { return }
        let code: Failure.Code =
            refusal.code == "not-written" ? .outputError : refusal.isLasting ? .refused : .tryLater
        let isListed = !options.json && report.catalog?.errors.isEmpty == false
        throw Failure(
            code: code.rawValue, reason: refusal.code,
            isListed ? "promod does not accept this catalog, and nothing was changed." : refusal.message + hint(code))
    }

    private func hint(_ code: Failure.Code) -> String {
        code == .tryLater ? " Try again later; \"promoctl doctor\" checks more." : ""
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
            let same = address == nil ? "There is no catalog.url in \(file)" : "\(file) has this address already"
            lines.append(report.isChanged ? "Wrote \(file)" : same)
            if let proxy = report.proxy { lines.append(proxy.advice) }
        }
        if report.refusal == nil, address?.host == "raw.githubusercontent.com" {
            lines.append(
                "GitHub limits how often one client may fetch its raw files. If you have many users, publish the catalog "
                    + "with GitHub Pages or behind a CDN.")
        }
        return lines
    }

    // MARK: The daemon

    private func reload(after what: String) throws {
        do {
            _ = try options.client.ask(.reload)
        } catch {
            throw Failure(
                code: Failure(error).code, reason: error.reason,
                "\(what), but this is not in force yet. \(error.message)")
        }
    }

    /// Shows the list. promod has it already, unless it could not read or accept the catalog that was left for it.
    private func show(_ address: HTTPSURL) throws {
        let freshness = try Progress.during("promod is fetching \(address)") {
            try options.ask(.list(ListParameters(limit: 1, wait: true)), timeout: DaemonClient.fetchTimeout) {
                json throws(MalformedResult) in try Freshness(json)
            }
        }.result
        guard freshness.generation != nil else {
            let reason = try options.status().refresh.lastError?.message ?? "\"promoctl status\" says why."
            throw Failure(
                .tryLater, "The configuration is in force, but promod could not fetch the catalog yet. \(reason)")
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
