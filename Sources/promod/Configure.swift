import ArgumentParser
import Glibc
import PromoCore
import PromoDaemon
import PromoWire

struct Configure: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Set the catalog: fetch it, check it, and write its address into the user's configuration.",
        discussion: """
            Fetches the catalog, checks it, and only then writes catalog.url into ~/.config/promod/config.toml, leaving \
            everything else in the file as it is. "promoctl reload" makes a running daemon use the new address; "promoctl \
            setup" does both and shows the list.

            If the address is "-", it is read from standard input, so that nobody sees it, or a password in it, among the \
            arguments of this process. promod then ends as soon as the program that started it does.

            If an environment variable sets a proxy for the address, it is written into catalog.proxy, because a service does \
            not see a shell's variables.

            With --catalog it is about another catalog than the default one, and writes catalogs.d/NAME.toml beside config.toml.

            With --hide, an empty file of that name hides the catalog that a package configures; --unhide removes it.

            With --remove it removes catalog.url, catalog.ca-file and catalog.proxy from the file, or the file of the catalog that \
            --catalog names.

            The address "sample" stands for the sample that comes with promod. --print-sample only prints it, to start a catalog from. \
            The format of a catalog is in promod.catalog(5).

            Exit codes: 0 done; 64 wrong usage; 65 the address has no catalog that promod accepts, or the file cannot be \
            edited; 73 the file cannot be written; 74 the output cannot be written; 75 the catalog cannot be fetched now, try \
            later; 78 bad configuration.

            Example: promod configure https://example.com/catalog.json
            """)

    @Argument(
        help: ArgumentHelp(
            "The catalog's address, or - to read it from standard input, or sample.", valueName: "https-url"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "A PEM file of certificates to trust in addition to the system's, from now on.", valueName: "path"),
        completion: .file())
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "The catalog's name: the address is written into a file of its own, catalogs.d/NAME.toml.",
            valueName: "name"))
    var catalog: String?

    @Flag(help: "Remove the address from the configuration.")
    var remove = false

    @Flag(help: "Hide the catalog that --catalog names and a package configures.")
    var hide = false

    @Flag(help: "Show a catalog again that was hidden.")
    var unhide = false

    @Flag(help: "Print the sample, to start a catalog from.")
    var printSample = false

    @OptionGroup var files: FileOptions

    @Flag(help: "Print the outcome as one line of JSON.")
    var json = false

    func validate() throws {
        if printSample && (url != nil || caFile != nil || remove || catalog != nil) {
            throw ValidationError(
                "--print-sample only prints a catalog; it takes no address, --ca-file, --catalog or --remove."
            )
        }
        if isSample && (caFile != nil || catalog != nil) {
            throw ValidationError("The sample is for the default catalog; it takes no --ca-file or --catalog.")
        }
        if let catalog, !CatalogReference.isName(catalog) {
            throw ValidationError("--catalog takes a name of \(CatalogReference.nameForm), such as acme.")
        }
        if remove && (url != nil || caFile != nil) {
            throw ValidationError("--remove removes the address; it takes no address or --ca-file.")
        }
        if let problem = CatalogReference.hidingProblem(
            hide: hide, unhide: unhide, catalog: catalog,
            isAlone: url == nil && caFile == nil && !remove && !printSample)
        {
            throw ValidationError(problem)
        }
        guard printSample || remove || hide || unhide || url != nil else {
            throw ValidationError("The address of a catalog is missing; \"sample\" is one to look around.")
        }
        if let url, url != "-", !isSample, HTTPSURL(url) == nil { throw ValidationError(HTTPSURL.refusal(of: url)) }
    }

    func run() throws {
        if printSample { return try StandardOutput.write(String(decoding: SampleCatalog.bytes, as: UTF8.self)) }
        if url == "-" { ProcessSetup.endWithParent() }
        var change = ConfigurationChange(
            configurationFile: files.file ?? Directories.ofProcess.configurationFile,
            catalog: catalog == CatalogReference.defaultName ? nil : catalog)
        if isSample {
            change.setUpSample()
        } else if let url {
            change.setUp(try address(url), caFile: caFile) { if !json { StandardError.write("Fetching \($0)") } }
        } else if hide {
            change.hide()
        } else if unhide {
            change.unhide()
        } else {
            change.remove()
        }
        try show(change.report)
        if change.exitCode != 0 { throw ArgumentParser.ExitCode(change.exitCode) }
    }

    private var isSample: Bool { url == ConfigurationKey.sample }

    private func show(_ report: ConfigureReport) throws {
        if json { return try StandardOutput.write(json: { report.write(to: &$0) }) }
        for line in report.lines { StandardError.write(line) }
    }

    /// The address in the argument, or on standard input if the argument is "-".
    private func address(_ argument: String) throws -> HTTPSURL {
        let text = argument == "-" ? readLine() ?? "" : argument
        guard let url = HTTPSURL(text) else { throw ValidationError(HTTPSURL.refusal(of: text)) }
        return url
    }
}

extension ConfigureReport {
    /// The report for people, line by line.
    fileprivate var lines: [String] {
        var lines = catalog?.lines ?? []
        if let refusal {
            if catalog?.errors.isEmpty ?? true { lines.append("promod: \(refusal.message)") }
        } else if let file {
            lines.append(isChanged ? "Wrote \(file)" : "Nothing to change in \(file)")
            if let proxy { lines.append(proxy.advice) }
        }
        return lines
    }
}
