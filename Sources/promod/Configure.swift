import ArgumentParser
import Glibc
import PromoCore
import PromoDaemon
import PromoWire

struct Configure: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a catalog on the web the one that is kept: check it, and write the user's configuration.",
        discussion: """
            Fetches the catalog, checks it, and only then writes catalog.url into ~/.config/promod/config.toml, leaving \
            everything else in the file as it is. A running daemon takes it over with "promoctl reload", with the catalog \
            that was fetched here; "promoctl setup" does both and shows the list.

            With "-" in place of the address it is read from standard input, so that nobody sees it, and perhaps a password in \
            it, among the arguments of this process. promod ends then as soon as the program that started it does.

            With --remove it takes catalog.url and catalog.ca-file out of the file. With --sample it prints a catalog to begin \
            with instead, and changes nothing. The format of a catalog is in promod.catalog(5).

            Exit codes: 0 if the file is written; 64 wrong usage; 65 no catalog that promod takes can be had there, or the file \
            cannot be edited; 73 the file cannot be written; 74 the output cannot be written; 75 the catalog cannot be fetched \
            now, try later; 78 bad configuration.

            Example: promod configure https://example.com/catalog.json
            """)

    @Argument(help: ArgumentHelp("Where the catalog is; - to read that from standard input.", valueName: "https-url"))
    var url: String?

    @Option(
        help: ArgumentHelp("Certificates in PEM to trust beside the system's, from now on.", valueName: "path"),
        completion: .file())
    var caFile: String?

    @Flag(help: "Take the address out of the configuration.")
    var remove = false

    @Flag(help: "Print a sample catalog, to begin your own with.")
    var sample = false

    @Option(
        help: ArgumentHelp("The file to write, in place of the user's in this environment.", valueName: "path"),
        completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "Where the daemon keeps its cache, in place of where this environment says.", valueName: "path"),
        completion: .directory)
    var cache: String?

    @Flag(help: "Print what came of it as one line of JSON.")
    var json = false

    func validate() throws {
        if sample && (url != nil || caFile != nil || remove) {
            throw ValidationError("--sample only prints a catalog: leave everything else out.")
        }
        if remove && (url != nil || caFile != nil) {
            throw ValidationError("--remove takes the address out: leave the address and --ca-file out.")
        }
        guard sample || remove || url != nil else {
            throw ValidationError("The address of a catalog is missing; --sample prints a catalog to begin with.")
        }
        if let url, url != "-", HTTPSURL(url) == nil { throw ValidationError(HTTPSURL.refusal(of: url)) }
    }

    func run() throws {
        if sample { return try printSample() }
        if url == "-" { ProcessSetup.endWithParent() }
        var change = ConfigurationChange(
            configurationFile: file ?? Directories.ofProcess.configuration + "/config.toml",
            cache: cache ?? Directories.ofProcess.cache)
        if let url {
            change.setUp(try address(url), caFile: caFile) { if !json { StandardError.write("Fetching \($0)") } }
        } else {
            change.remove()
        }
        try show(change.report)
        if change.exitCode != 0 { throw ArgumentParser.ExitCode(change.exitCode) }
    }

    private func printSample() throws {
        print(String(decoding: SampleCatalog.bytes, as: UTF8.self), terminator: "")
        try flush()
    }

    private func show(_ report: ConfigureReport) throws {
        if json {
            var writer = JSONWriter()
            report.write(to: &writer)
            print(String(decoding: writer.bytes, as: UTF8.self))
            return try flush()
        }
        for line in report.lines { StandardError.write(line) }
    }

    private func flush() throws {
        guard fflush(nil) == 0 else {
            StandardError.write("promod: the output cannot be written: \(String(cString: strerror(errno)))")
            throw ArgumentParser.ExitCode(74)
        }
    }

    /// The address as it was written; one line of standard input if the argument says so.
    private func address(_ argument: String) throws -> HTTPSURL {
        let text = argument == "-" ? readLine() ?? "" : argument
        guard let url = HTTPSURL(text) else { throw ValidationError(HTTPSURL.refusal(of: text)) }
        return url
    }
}

extension ConfigureReport {
    /// What a person is told, a line each.
    fileprivate var lines: [String] {
        var lines = catalog?.lines ?? []
        if let refusal {
            if catalog?.errors.isEmpty ?? true { lines.append("promod: \(refusal.message)") }
        } else if let file {
            lines.append(isChanged ? "Wrote \(file)" : "Nothing to change in \(file)")
        }
        return lines
    }
}
