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

    @Option(
        help: ArgumentHelp(
            "A PEM file of certificates to trust in addition to the system's, from now on; the running service must be able to read it.",
            valueName: "path"),
        completion: .file())
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "Fetch all catalogs through this proxy from now on, such as http://proxy.example:3128, or \"direct\" for none.",
            valueName: "address"))
    var proxy: String?

    @Option(
        help: ArgumentHelp(
            "Another catalog than the default one, by its name: it is configured in a file of its own, catalogs.d/NAME.toml.",
            valueName: "name"))
    var catalog: String?

    @Flag(help: "Remove the address from the configuration.")
    var remove = false

    @Flag(help: "Hide the catalog that --catalog names and a package configures.")
    var hide = false

    @Flag(help: "Show a catalog again that was hidden.")
    var unhide = false

    @Flag(help: "Bring back the file as it was before the last change of this command; the same again undoes that.")
    var undo = false

    @Flag(help: "Print the sample, to start a catalog from.")
    var printSample = false

    @Flag(help: "Serve the sample that comes with promod, to look around.")
    var sample = false

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var options: CommonOptions

    func run() throws {
        var change = try change()
        if change.action == .printSample {
            return try Output.text(SetupReport(of: change).report.sample ?? "")
        }
        let before = try statusIfReachable()
        if !yes, let warning = UnseenUser.warning(before, catalog: catalog) {
            try Confirmation.require(warning, otherwise: "Nothing was changed.")
        }
        if let caFile { try checkThatServiceReads(caFile) }
        // The running promod's environment may differ from this one.
        change.file = before?.process.configurationPath
        let address = url.flatMap(HTTPSURL.init)
        let made =
            if let address {
                try Progress.during("Fetching \(address)") { try SetupReport(of: change) }
            } else {
                try SetupReport(of: change)
            }
        // Before anything is printed, because the output may be closed.
        let failure = made.report.refusal == nil ? reload() : nil
        if !options.json { for line in made.lines { Output.note(line.printable, isWrapped: true) } }
        if let refusal = made.report.refusal { throw end(with: refusal, made) }
        let outcome = SetupOutcome(change: change, report: made.report, options: options)
        if let failure { throw outcome.notInForce(failure) }
        try outcome.show(address)
    }

    private func reload() -> PromoError? {
        do {
            _ = try options.client.ask(.command(.reload))
            return nil
        } catch {
            return error
        }
    }

    /// The change that the arguments ask for.
    /// - Throws: `ValidationError` if they ask for nothing, for two things, or for what does not go together. The parser would call a check
    ///   in `validate()` before it complains about an unknown option.
    private func change() throws -> ConfigurationChange {
        let actions: [(name: String, action: ConfigurationChange.Action, isGiven: Bool)] = [
            ("an address", .set, url != nil), ("--sample", .sample, sample), ("--remove", .remove, remove),
            ("--hide", .hide, hide), ("--unhide", .unhide, unhide), ("--undo", .undo, undo),
            ("--print-sample", .printSample, printSample),
        ]
        let given = actions.filter(\.isGiven)
        guard let (name, action, _) = given.first else {
            throw ValidationError("The address of a catalog is missing; --sample serves one to look around.")
        }
        if given.count > 1 {
            throw ValidationError("\(given[1].name) and \(name) exclude each other; give one of them.")
        }
        try checkSettings(name)
        try checkCatalog(name, action)
        var change = ConfigurationChange(action)
        change.catalog = catalog == CatalogReference.defaultName ? nil : catalog
        (change.url, change.caFile, change.proxy) = (url, caFile, proxy)
        return change
    }

    private func checkSettings(_ action: String) throws {
        if let url, HTTPSURL(url) == nil { throw ValidationError(HTTPSURL.refusal(of: url)) }
        try OptionValue.check(proxy: proxy)
        let settings = [("--ca-file", caFile), ("--proxy", proxy)]
        if url == nil, let setting = settings.first(where: { $0.1 != nil })?.0 {
            throw ValidationError("\(setting) is written with an address; \(action) takes none.")
        }
    }

    private func checkCatalog(_ name: String, _ action: ConfigurationChange.Action) throws {
        let isHiding = action == .hide || action == .unhide
        guard let catalog else {
            guard isHiding else { return }
            throw ValidationError("\(name) needs --catalog NAME: it is for another catalog than the default one.")
        }
        guard CatalogReference.isName(catalog) else {
            throw ValidationError("--catalog takes a name of \(CatalogReference.nameForm), such as acme.")
        }
        if action == .sample || action == .printSample {
            throw ValidationError("\(name) is for the default catalog; leave out --catalog.")
        }
        let isDefault = catalog == CatalogReference.defaultName
        if isDefault && isHiding {
            throw ValidationError(
                "\(name) is for the catalog of a package; --remove removes the address of the default one.")
        }
        if !isDefault && proxy != nil {
            throw ValidationError(
                "catalog.proxy is for all catalogs, and only config.toml has it: give --proxy without --catalog.")
        }
    }

    /// The status; nil if promod is not running, and then it reads the file when it starts.
    private func statusIfReachable() throws -> StatusResult? {
        do {
            return try options.status()
        } catch let error as PromoError where error.code == .daemonUnreachable {
            return nil
        }
    }

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

    /// Prints why nothing was changed.
    private func end(with refusal: ConfigureReport.Refusal, _ made: SetupReport) -> Failure {
        let code: Failure.Code =
            switch refusal.code {
            case "nothing-to-undo": .no
            case "not-written": .outputError
            case "usage": .usage
            default: refusal.isLasting ? .refused : .tryLater
            }
        let message = made.refusal(refusal, isListed: !options.json)
        if !options.json { Output.note("promoctl: \(message.printable)", isWrapped: true) }
        return Failure(code: code.rawValue, reason: refusal.code, options.json ? message : nil)
    }
}
