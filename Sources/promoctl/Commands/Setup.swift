import ArgumentParser
import CrossPromoKit
import Glibc
import PromoOptions
import PromoProcess
import PromoWire

struct Setup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give promod the address of your catalog, and show the list.",
        discussion: """
            Fetches the catalog, checks it, writes its address into the configuration file that promod reads, and reloads \
            promod. A wrong address or a broken catalog changes nothing. Everything else in the file stays as it is, but a \
            proxy that this shell's variables set is written into it too. With --remove the address and what was written with it \
            are removed from the file, and no catalog is configured any more.

            Each change keeps the file as it was before as FILE.previous. --undo exchanges the two, and a second --undo brings the change \
            back; with --catalog it is about that catalog's file. What was edited by hand since the change goes and comes back with it, and the \
            next change keeps only the latest file.

            It configures promod for one user. It asks first, and without a terminal it needs --yes, if it runs by sudo, or if no promod \
            answers and the user is root or has no session.

            With --catalog it is about another catalog than the default one: its address is written into a file of its own, \
            catalogs.d/NAME.toml beside the configuration file. --hide hides a catalog that a package brought, for you alone, and \
            --unhide undoes that.

            With --sample promod serves the sample that comes with it, to look around, until another address is set up or --remove \
            removes it. With --print-sample it only prints the sample, to start a catalog from. The format of a catalog is in \
            promod.catalog(5); "promoctl validate" checks one.

            Exits with 65 if the same command would fail later too (there is no catalog at the address, or the certificate is \
            not trusted), and with 75 if it may succeed later (no network, or the server is down).

            Example: promoctl setup https://example.com/catalog.json

            Example: promoctl setup https://acme.example/apps.json --catalog acme

            Example: promoctl setup --hide --catalog acme

            Example: promoctl setup --undo

            Example: promoctl setup --sample

            Example: promoctl setup --print-sample > catalog.json
            """)

    @Argument(help: ArgumentHelp("The catalog's address, which begins with https.", valueName: "url"))
    var url: String?

    @OptionGroup var setup: SetupOptions

    @Flag(help: "Serve the sample that comes with promod, to look around.")
    var sample = false

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
        try setup.check(address: url != nil, sample: sample ? "--sample" : nil)
        if let url, HTTPSURL(url) == nil { throw ValidationError(HTTPSURL.refusal(of: url)) }
    }

    func run() throws {
        if setup.printSample { return try runPrintSample() }
        let before = try statusIfReachable()
        if !yes, let warning = UnseenUser.warning(before, catalog: setup.catalog) {
            try Confirmation.require(warning, otherwise: "Nothing was changed.")
        }
        if setup.undo { return try undo(before) }
        if setup.hide || setup.unhide { return try setHidden(before) }
        if sample { return try setSample(before) }
        guard let url, let address = HTTPSURL(url) else { return try remove(before) }
        if let caFile = setup.caFile { try checkThatServiceReads(caFile) }
        let more = [
            ("--ca-file", setup.caFile), ("--public-key", setup.publicKey), ("--proxy", setup.proxy.map { _ in "-" }),
        ]
        let report = try Progress.during("Fetching \(address)") {
            try configure(
                before, more.flatMap { option, value in value.map { [option, $0] } ?? [] },
                input: [url, setup.proxy].compactMap(\.self).joined(separator: "\n"))
        }
        try end(with: report, address)
        try reload(after: "The configuration is written")
        let status = try options.status(of: reference)
        guard status.refresh.url == address.description else { throw overridden(status) }
        try show(address.description, report.catalog?.content?.generation)
    }

    private var isDefault: Bool { name == CatalogReference.defaultName }

    private var name: String { setup.catalog ?? CatalogReference.defaultName }

    private var reference: CatalogReference? { setup.catalog.map(CatalogReference.name) }

    private func runPrintSample() throws {
        let status = try DaemonProgram.run(["configure", "--print-sample"])
        guard status == 0 else { throw Failure(code: status) }
    }

    /// What `promod configure` is to do without an address.
    private var action: [String] {
        if sample { return ["sample"] }
        return [setup.undo ? "--undo" : setup.hide ? "--hide" : setup.unhide ? "--unhide" : "--remove"]
    }

    private func setSample(_ before: StatusResult?) throws {
        try end(with: try configure(before, action))
        try reload(after: "The configuration is written")
        let status = try options.status()
        guard status.freshness.source == .sample else { throw overridden(status) }
        _ = try ListReport(client: options.client, isJSON: options.json).show()
    }

    /// Something overrides the file that was written.
    private func overridden(_ status: StatusResult) -> Failure {
        let kept =
            status.refresh.url
            ?? (status.freshness.source == .sample
                ? "the sample" : "no address\(setup.catalog.map { " for \($0)" } ?? "")")
        return Failure(
            .refused,
            "The configuration is written, but promod keeps \(kept): it was started with another configuration, on its "
                + "command line or in its environment, and that overrides the file.")
    }

    // MARK: The file

    /// Refuses a file that this process can read, but the running promod cannot, which is probably in a sandbox.
    private func checkThatServiceReads(_ file: String) throws {
        guard let path = try? String(resolving: file), FileSystem.access(path, R_OK) == 0,
            let checks = try? options.ask(
                .command(.diagnose(caFile: OutsideText(path))), as: DiagnoseResult.self
            ).result.checks,
            let problem = checks.first(where: { $0.verdict == .bad })?.text, problem.contains("cannot be read: ")
        else { return }
        throw Failure(
            .refused,
            "\(problem) The service cannot read files in /tmp, /var/tmp and /dev/shm, nor in the directories of keys, passwords "
                + "and browsers, such as ~/.ssh, ~/.gnupg, ~/.aws and ~/.mozilla (\"systemctl --user cat promod\" lists them all). "
                + "Put the file into ~/.config/promod, for example. Nothing was changed.")
    }

    /// The status; nil if promod is not running, and then it reads the file when it starts.
    private func statusIfReachable() throws -> StatusResult? {
        do {
            return try options.status()
        } catch let error as PromoError where error.code == .daemonUnreachable {
            return nil
        }
    }

    /// Runs `promod configure` on the file that the running promod reads.
    /// - Parameter input: the address, and on another line the proxy; nil for none.
    private func configure(
        _ status: StatusResult?, _ more: [String], input: String? = nil
    ) throws -> ConfigureReport {
        let arguments =
            ["configure", "--json"] + more + (setup.catalog.map { ["--catalog", $0] } ?? [])
            + DaemonProgram.places(status) + (input == nil ? [] : ["--", "-"])
        let (output, code) = try DaemonProgram.run(arguments, input: input ?? "")
        // The program has printed why on standard error.
        if code == Failure.Code.usage.rawValue { throw Failure(.usage) }
        do {
            return try ConfigureReport(try JSONDocument(output, maximumDepth: 8).root)
        } catch {
            throw Failure(.unreachable, DaemonProgram.unreported("configure", code))
        }
    }

    /// Prints the outcome of the change, and throws if it was refused.
    private func end(with report: ConfigureReport, _ address: HTTPSURL? = nil) throws {
        if !options.json { for line in lines(of: report, address) { Output.note(line.printable, isWrapped: true) } }
        guard let refusal = report.refusal else { return }
        let code: Failure.Code =
            refusal.code == "nothing-to-undo"
            ? .no : refusal.code == "not-written" ? .outputError : refusal.isLasting ? .refused : .tryLater
        let isListed = !options.json && report.catalog?.errors.isEmpty == false
        let message =
            isListed ? "promod does not accept this catalog, and nothing was changed." : advised(refusal)
        if !options.json { Output.note("promoctl: \(message.printable)", isWrapped: true) }
        throw Failure(code: code.rawValue, reason: refusal.code, options.json ? message : nil)
    }

    private func advised(_ refusal: ConfigureReport.Refusal) -> String {
        let code = PromoWire.Failure.Code(rawValue: refusal.code)
        return code.map { PromoWire.Failure($0, refusal.message).advised } ?? refusal.message
    }

    private func lines(of report: ConfigureReport, _ address: HTTPSURL?) -> [String] {
        var lines: [String] = []
        if let catalog = report.catalog {
            let apps = catalog.content.map { "good, \($0.apps.counting("app"))" }
            lines.append("\(catalog.name): \(apps ?? "not a catalog, or one that breaks rules")")
            lines += catalog.errors.map { "  \($0.line)" }
            lines += catalog.warnings.map { "  \($0.position): warning: \($0.text)" }
        }
        if report.refusal == nil, let file = report.file {
            lines.append(done(report, file, address))
            if let proxy = report.proxy {
                lines.append(
                    isDefault
                        ? proxy.advice
                        : "config.toml has the proxy of \(proxy.source) now (\(proxy.url)), which is for all catalogs.")
            }
        }
        if report.refusal == nil, address?.host == "raw.githubusercontent.com" {
            lines.append(
                "GitHub limits how often one client may fetch its raw files. If you have many users, publish the catalog "
                    + "with GitHub Pages or behind a CDN.")
        }
        return lines
    }

    /// What has happened to the file.
    private func done(_ report: ConfigureReport, _ file: String, _ address: HTTPSURL?) -> String {
        if setup.hide || setup.unhide {
            return "\(!report.isChanged ? "Nothing to change in" : setup.hide ? "Wrote" : "Removed") \(file)"
        }
        if setup.undo {
            let isThere = FileSystem.access(file, F_OK) == 0
            return
                (isThere
                ? "\(file) is as it was before the last change" : "Removed \(file), which the last change created")
                + "; \(undoing) brings that change back."
        }
        if let replaced = report.replaced {
            let key = isDefault ? "catalog.formerly" : "formerly"
            return
                "Replaced \(replaced) in \(file); \(undoing) brings it back. If the same publisher's catalog has moved, name the "
                + "old address there as \(key), so that first launches and review requests come along."
        }
        if report.isChanged {
            let verb = address != nil || sample ? "Wrote" : isDefault ? "Removed it from" : "Removed"
            return "\(verb) \(file)"
        }
        if sample { return "\(file) has the sample already" }
        if address != nil { return "\(file) has this address already" }
        return isDefault ? "There is no address of the catalog in \(file)" : "There is no file \(file)"
    }

    private var undoing: String { "promoctl setup --undo\(isDefault ? "" : " --catalog \(name)")" }

    // MARK: The daemon

    private func reload(after what: String) throws {
        do {
            _ = try options.client.ask(.command(.reload))
        } catch {
            let isBroken = error.reason == ErrorReason.badConfiguration.rawValue
            let remedy = isBroken ? " \(BrokenFile.remedy(for: nil))" : ""
            throw Failure(
                code: Failure(error).code, reason: error.reason,
                "\(what), but this is not in force yet. \(error.message.sentence)\(remedy)")
        }
    }

    /// Shows the list, after promod has fetched the catalog too.
    /// - Parameter generation: that of the catalog that was checked.
    private func show(_ address: String, _ generation: String?) throws {
        let listing = ListParameters(limit: 1, wait: true)
        let served = try Progress.during("promod is fetching \(address)") {
            let served = try ask(.list(listing), as: ListResult.self).freshness.generation
            guard let served, let generation, served != generation else { return served }
            // It fetched another one, or this one before.
            let result = try ask(.command(.refresh(RefreshParameters())), as: RefreshResult.self)
            if let error = result.error {
                Output.note("promoctl: \(error.message.printable)")
            } else if result.generation != generation {
                Output.note(
                    "promoctl: promod serves another version than the one that was checked; \"promoctl status\" says when it asks again."
                )
            }
            return served
        }
        guard served != nil else {
            let reason = try options.status(of: reference).refresh.lastError?.message ?? "\"promoctl status\" says why."
            throw Failure(
                .tryLater, "The configuration is in force, but promod could not fetch the catalog yet. \(reason)")
        }
        _ = try ListReport(client: options.client, catalog: reference, isJSON: options.json).show()
    }

    private func ask<Result: MethodResult>(_ method: Request.Method, as type: Result.Type) throws -> Result {
        try options.ask(method, of: reference, timeout: DaemonClient.fetchTimeout, as: type).result
    }

    private func undo(_ before: StatusResult?) throws {
        try end(with: try configure(before, action))
        try reload(after: "The last change is undone")
        if let status = try options.status().about(reference) {
            if let url = status.refresh.url { return try show(url, nil) }
            if status.freshness.source == .sample {
                _ = try ListReport(client: options.client, isJSON: options.json).show()
                return
            }
        }
        try endWithoutAddress()
    }

    /// Says that there is no address any more.
    private func endWithoutAddress() throws {
        if options.json { return try Output.json(try options.client.ask(.status)) }
        let status = try options.status()
        try Output.line(
            isDefault ? status.unconfigured : "promod does not keep the catalog \(name) any more.")
    }

    private func setHidden(_ before: StatusResult?) throws {
        try end(with: try configure(before, action))
        let hide = setup.hide
        try reload(after: hide ? "The catalog is hidden" : "The catalog is not hidden any more")
        let isKept = try options.status().about(reference) != nil
        if hide && isKept {
            throw Failure(
                .refused,
                "promod still keeps the catalog \(name): [catalogs.\(name)] in the configuration configures it.")
        }
        if options.json { return try Output.json(try options.client.ask(.status)) }
        try Output.line(
            hide
                ? "promod does not keep the catalog \(name) any more; \"promoctl setup --unhide --catalog \(name)\" has it back."
                : isKept
                    ? "promod keeps the catalog \(name) again." : "Nothing configures a catalog \(name) at the moment.")
    }

    private func remove(_ before: StatusResult?) throws {
        try end(with: try configure(before, action))
        try reload(after: "The address is removed")
        let status = try options.status().about(reference)
        if let status, let url = status.refresh.url {
            throw Failure(.refused, "promod keeps \(url): \(elsewhere(status.configuration.file))")
        }
        guard status?.freshness.source != .sample else {
            throw Failure(.refused, "promod keeps the sample: \(elsewhere(nil))")
        }
        try endWithoutAddress()
    }

    /// Where a catalog is configured that was removed from the user's file, and what to do.
    private func elsewhere(_ file: String?) -> String {
        guard setup.catalog != nil else {
            return "it is configured elsewhere too. \"promod --print-configuration\" shows where."
        }
        guard let file, file.hasSuffix("/catalogs.d/\(name).toml") else {
            return
                "[catalogs.\(name)] in \(file ?? "the configuration") configures it; remove that, and then: promoctl reload"
        }
        return "\(file) configures it. This hides it: promoctl setup --hide --catalog \(name)"
    }
}
