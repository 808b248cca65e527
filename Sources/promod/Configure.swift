import ArgumentParser
import Glibc
import PromoCore
import PromoDaemon
import PromoOptions
import PromoWire

struct Configure: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Set the catalog: fetch it, check it, and write its address into the user's configuration.",
        discussion: """
            Fetches the catalog, checks it, and only then writes catalog.url into ~/.config/promod/config.toml, leaving \
            everything else in the file as it is. "promoctl reload" makes a running daemon use the new address; "promoctl \
            setup" does both and shows the list.

            If the address is "-", it is read from standard input, so that nobody sees it, or a password in it, among the \
            arguments of this process; so is a proxy, on the line after it. promod then ends as soon as the program that started it \
            does.

            If an environment variable sets a proxy for the address, it is written into catalog.proxy, because a service does \
            not see a shell's variables.

            With --catalog it is about another catalog than the default one, and writes catalogs.d/NAME.toml beside config.toml.

            With --hide, an empty file of that name hides the catalog that a package configures; --unhide removes it.

            With --remove it removes catalog.url and what was written with it from the file, or the file of the catalog that --catalog \
            names. Each change keeps the file as it was before as FILE.previous, and --undo exchanges the two.

            The address "sample" stands for the sample that comes with promod. --print-sample only prints it, to start a catalog from. \
            The format of a catalog is in promod.catalog(5).

            Exit codes: 0 done; 1 nothing to undo; 64 wrong usage; 65 the address has no catalog that promod accepts, or the file cannot be \
            edited; 73 the file cannot be written; 74 the output cannot be written; 75 the catalog cannot be fetched now, try \
            later; 78 bad configuration.

            Example: promod configure https://example.com/catalog.json
            """)

    @Argument(
        help: ArgumentHelp(
            "The catalog's address, or - to read it from standard input, or sample.", valueName: "https-url"))
    var url: String?

    @OptionGroup var options: SetupOptions

    @OptionGroup var files: FileOptions

    @Flag(help: "Print the outcome as one line of JSON.")
    var json = false

    func validate() throws {
        try options.check(address: url != nil && !isSample, sample: isSample ? ConfigurationKey.sample : nil)
        try OptionValue.check(publicKey: options.publicKey) { PublicKey($0) != nil }
        if let url, url != "-", !isSample, HTTPSURL(url) == nil { throw ValidationError(HTTPSURL.refusal(of: url)) }
    }

    func run() throws {
        if options.printSample { return try StandardOutput.write(String(decoding: SampleCatalog.bytes, as: UTF8.self)) }
        if url == "-" { ProcessSetup.endWithParent() }
        var change = ConfigurationChange(
            configurationFile: files.file ?? Directories.ofProcess.configurationFile,
            catalog: options.catalog == CatalogReference.defaultName ? nil : options.catalog)
        if isSample {
            change.setUpSample()
        } else if let url {
            let address = try address(url)
            change.setUp(address, try settings()) { if !json { StandardError.write("Fetching \($0)") } }
        } else if options.hide {
            change.hide()
        } else if options.unhide {
            change.unhide()
        } else if options.undo {
            change.undo()
        } else {
            change.remove()
        }
        try show(change.report)
        if change.exitCode != 0 { throw ArgumentParser.ExitCode(change.exitCode) }
    }

    private var isSample: Bool { url == ConfigurationKey.sample }

    /// What the options set; the proxy, too, is on standard input if it is "-", after the address.
    private func settings() throws -> ConfigurationChange.Settings {
        let proxy = options.proxy == "-" ? readLine() : options.proxy
        try OptionValue.check(proxy: proxy)
        return ConfigurationChange.Settings(
            caFile: options.caFile, publicKey: options.publicKey.flatMap(PublicKey.init),
            proxy: proxy.flatMap(Proxies.Key.init))
    }

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
            lines.append(
                isChanged
                    ? replaced.map { "Replaced \($0) in \(file)" } ?? "Wrote \(file)" : "Nothing to change in \(file)")
            if let proxy { lines.append(proxy.advice) }
        }
        return lines
    }
}
