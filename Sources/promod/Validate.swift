import ArgumentParser
import PromoCore
import PromoDaemon
import PromoProcess
import PromoWire

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a catalog against the rules of the daemon.",
        discussion: """
            Prints a line for each broken rule and for each warning: line and column, JSON Pointer, and how to fix it. A \
            warning is about something that breaks no rule but is probably a mistake, such as a rule for "bookray" beside an \
            app "bookary". The format of a catalog is in promod.catalog(5). With --json it prints the same as one line of JSON.

            For the address of a catalog that is configured, the signature is checked as the daemon checks it; --public-key asks for \
            one anywhere.

            At an address it also warns of what every machine will meet there: an origin that sends the whole catalog again \
            although nothing has changed, a permanent redirect, a cache that holds an old copy, no compression, \
            and missing icons.

            Exit codes: 0 for a good catalog, 1 for warnings with --strict, 65 for broken rules, 66 if the file cannot be \
            read, 69 if the address cannot be fetched, 74 if the output cannot be written.

            Example: promod validate --strict catalog.json

            Example: promod validate https://example.com/catalog.json

            Example: promod validate --page preview.html --language ko catalog.json
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

    /// The largest value that `catalog.max-bytes` takes.
    private static let maximumBytes = 64 * 1024 * 1024

    func validate() throws {
        if let refusal = HTTPSURL.refusal(ofPlace: place) { throw ValidationError(refusal) }
        if language != nil && page == nil { throw ValidationError("--language is for the page; give --page too.") }
        if let proxy, Proxies.Key(proxy) == nil {
            throw ValidationError(
                "--proxy takes the address of a proxy, such as http://proxy.example:3128, or \"direct\".")
        }
        if let publicKey, PublicKey(publicKey) == nil {
            throw ValidationError("--public-key takes 44 characters of base64, as \"promod generate-key\" prints them.")
        }
    }

    func run() throws {
        let url = HTTPSURL(place)
        let configuration = url == nil && page == nil ? PromoDaemon.Configuration() : try configuration(of: url)
        var checked =
            try url.map { try fetch($0, configuration) } ?? FetchedCatalog(name: name, bytes: read(), trust: trust)
        let preview =
            url == nil && page == nil ? nil : checked.catalog.map { CatalogPreview($0, configuration) }
        checked.report.delivery += preview?.problems ?? []
        let report = checked.report
        if json {
            try StandardOutput.write(json: { report.write(to: &$0) })
        } else {
            try StandardOutput.write(lines: report.lines)
        }
        guard checked.catalog != nil else { throw ArgumentParser.ExitCode(65) }
        if let page {
            let language = language.map { Language(tag: $0) } ?? Language(environment: ProcessEnvironment().variables)
            try preview?.write(to: page, language: language)
        }
        if strict && !(report.warnings.isEmpty && report.delivery.isEmpty) { throw ArgumentParser.ExitCode(1) }
    }

    private var isStandardInput: Bool { place == "-" }
    private var name: String { isStandardInput ? "standard input" : place }

    private var trust: CatalogTrust { CatalogTrust(keys: publicKey.flatMap(PublicKey.init).map { [$0] } ?? []) }

    private func fetch(_ url: HTTPSURL, _ configuration: PromoDaemon.Configuration) throws -> FetchedCatalog {
        do {
            let probe = CatalogProbe(configuration)
            let fetched = try probe.fetch(url)
            let trust = publicKey == nil ? CatalogTrust(keys: configuration.catalog.publicKeys) : trust
            var checked = FetchedCatalog(name: url.description, bytes: fetched.bytes, trust: trust)
            if checked.catalog != nil { checked.report.delivery += probe.delivery(of: fetched, at: url).remarks }
            return checked
        } catch {
            throw unreadable(error.failure.message, code: 69)
        }
    }

    /// The configuration to fetch a catalog or its icons with. Keys are required if they are for the catalog at the address. A broken
    /// one must not keep the catalog from being checked, so its problems are printed as warnings and the defaults are used.
    private func configuration(of url: HTTPSURL?) throws -> PromoDaemon.Configuration {
        let loader = try ConfigurationLoader.ofProcess(commandLine: proxy.map { ["catalog.proxy": $0] } ?? [:])
        let path = caFile.map(InputFile.absolute)
        if let path, let problem = TrustedCertificates.problem(in: path) { throw unreadable(problem, code: 66) }
        do {
            let loaded = try loader.load()
            var configuration = loaded.configuration
            let others = loaded.kept(withCache: loader.cachePath).others.map(\.configuration)
            if let own = ([configuration.catalog] + others).first(where: {
                url != nil && $0.url?.normalized == url?.normalized
            }) {
                configuration.catalog = own
            } else {
                configuration.catalog.publicKeys = []
            }
            configuration.catalog.caFile = path ?? configuration.catalog.caFile
            return configuration
        } catch {
            for line in error.lines { StandardError.write("promod: warning: \(line)") }
            var configuration = PromoDaemon.Configuration()
            configuration.catalog.caFile = path
            configuration.proxies = Proxies(proxy.flatMap(Proxies.Key.init), environment: ProcessSetup.environment)
            return configuration
        }
    }

    private func read() throws -> [UInt8] {
        do {
            if isStandardInput { return try FileReader.readStandardInput(maximumBytes: Self.maximumBytes) }
            if let bytes = try FileReader.read(place, maximumBytes: Self.maximumBytes) { return bytes }
        } catch {
            throw unreadable("\(error)", code: 66)
        }
        throw unreadable("there is no file \(place)", code: 66)
    }

    /// Prints why the catalog cannot be read, with --json in the form of a protocol error, and returns the exit code.
    private func unreadable(_ message: String, code: Int32) -> ArgumentParser.ExitCode {
        guard json else {
            StandardError.write("promod: \(message)")
            return ArgumentParser.ExitCode(code)
        }
        var writer = JSONWriter()
        writer.error(code: Int(code), reason: "unreadable", message: message.printable)
        StandardError.write(String(decoding: writer.bytes, as: UTF8.self))
        return ArgumentParser.ExitCode(code)
    }
}
