import ArgumentParser
import Glibc
import PromoCore
import PromoDaemon
import PromoOptions
import PromoSystem
import PromoWire

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a catalog against the rules of the daemon.",
        discussion: """
            Prints the broken rules, then warnings, then notes, each with line and column, JSON Pointer, and how to fix it. A \
            warning is a probable mistake, such as a rule for "bookray" beside an app "bookary"; a note needs no change. At an \
            address, it also fetches the icons, for up to two minutes, and warns about those that promod would not keep. \
            promod-catalog(5) has the rules.

            Exit codes: 0 for a good catalog, 1 for warnings with --strict, 65 for broken rules or an address that gives no \
            catalog, 66 if the file cannot be read, 74 if the output cannot be written, 75 if the address cannot be fetched now.

            Example: promod validate --strict catalog.json

            Example: promod validate https://example.com/catalog.json
            """)

    @OptionGroup var options: ValidateOptions

    func run() throws {
        try options.check()
        let report = try (HTTPSURL(options.place).map(fetch) ?? CatalogReport(name: name, bytes: read()))
        if options.json {
            try StandardOutput.write(json: { report.write(to: &$0) })
        } else {
            try StandardOutput.write(lines: report.lines)
        }
        guard report.content != nil else { throw ArgumentParser.ExitCode(65) }
        if options.strict && !report.warnings.isEmpty { throw ArgumentParser.ExitCode(1) }
    }

    /// More than promod takes, so that a catalog that is too large is checked too.
    private static let maximumBytes = 64 << 20

    private var isStandardInput: Bool { options.place == "-" }
    private var name: String { isStandardInput ? "standard input" : options.place }

    private func fetch(_ url: HTTPSURL) throws -> CatalogReport {
        StandardOutput.endWithReader()
        let probe = try probe(url)
        if isatty(STDERR_FILENO) == 1 { StandardError.write("Fetching the catalog and its icons…") }
        do throws(PromoWire.Failure) {
            let bytes = try probe.catalog()
            guard !options.noIcons else { return CatalogReport(name: url.description, bytes: bytes) }
            return CatalogReport(name: url.description, bytes: bytes, icons: probe.problem)
        } catch {
            let code = error.code.known ?? .fetchProcess
            throw unreadable(
                "\(error.message.sentence) \(code.adviceBeforeSetup)", code: code.mayPass ? 75 : 65)
        }
    }

    /// Fetches as the daemon would. A broken configuration must not prevent the check, so its problems are printed as warnings and the
    /// defaults are used.
    private func probe(_ url: HTTPSURL) throws -> CatalogProbe {
        let path = options.caFile.map { (try? String(resolving: $0)) ?? $0 }
        if let path, let problem = TrustedCertificates.problem(in: path) { throw unreadable(problem, code: 66) }
        let loader = try ConfigurationLoader.ofProcess()
        var configuration = PromoDaemon.Configuration()
        do {
            configuration = try loader.load().configuration
        } catch {
            for line in error.lines { StandardError.write("promod: warning: \(line)") }
        }
        let entries = loader.loadDropIns().entries
        var settings = entries.first { $0.settings.url?.requestText == url.requestText }?.settings ?? CatalogSettings()
        settings.caFile = path ?? settings.caFile
        settings.proxy = options.proxy.flatMap(ProxySetting.init) ?? settings.proxy
        return CatalogProbe(url, configuration, settings, environment: loader.environment)
    }

    private func read() throws -> [UInt8] {
        do {
            if isStandardInput { return try FileReader.readStandardInput(maximumBytes: Self.maximumBytes) }
            if let bytes = try FileReader.read(options.place, maximumBytes: Self.maximumBytes) { return bytes }
        } catch {
            throw unreadable("\(error)", code: 66)
        }
        throw unreadable("there is no file \(options.place)", code: 66)
    }

    /// The error for a catalog that cannot be read; with --json, it is printed in the form of a protocol error.
    private func unreadable(_ message: String, code: Int32) -> any Error {
        guard options.json else { return CommandFailure(code, message) }
        var writer = JSONWriter()
        writer.error(code: Int(code), reason: "unreadable", message: message.printable.messageLines.joined())
        let line = writer.bytes + [UInt8(ascii: "\n")]
        Descriptor.write(line.span, to: STDERR_FILENO)
        return ArgumentParser.ExitCode(code)
    }
}

/// The arguments of "promod validate".
struct ValidateOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The catalog: a JSON file, an https address, or - for the standard input, which is also read without an argument unless it is a terminal.",
            valueName: "catalog"),
        completion: .file(extensions: ["json"]))
    private var argument: String?

    @Option(
        help: ArgumentHelp(
            "For an address: a PEM file of additional certificates to trust.", valueName: "file"),
        completion: .file())
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "For an address: a proxy, such as http://proxy.example:3128, or \"direct\" for none.", valueName: "address"
        ))
    var proxy: String?

    @Flag(help: "For an address: leave out its icons.")
    var noIcons = false

    @Flag(help: "Exit with 1 if there are warnings.")
    var strict = false

    @Flag(help: "Print the findings as one line of JSON.")
    var json = false

    /// The file, the address, or - for the standard input.
    var place: String { argument ?? "-" }

    /// Checks the options. It is not `validate`, which the parser calls before it reports an unknown option.
    func check() throws {
        guard argument != nil || isatty(STDIN_FILENO) == 0 else {
            throw ValidationError(
                "The catalog is missing: name a JSON file or an https address, or pipe it into the command.")
        }
        if let refusal = HTTPSURL.refusal(ofPlace: place) { throw ValidationError(refusal) }
        try OptionValue.check(proxy: proxy)
    }
}
