import ArgumentParser
import CLinux
import CrossPromoKit
import Dispatch
import Glibc
import PromoOptions
import PromoSystem
import PromoWire

struct Setup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give promod the address of a catalog.",
        discussion: """
            Writes the address to ~/.config/promod/catalogs.d/default.toml, replacing the whole file, has promod fetch the \
            catalog, and shows the list. If that fails, the command says why and puts the former file back. If promod is not \
            running, it only writes the file.

            Exits with 65 if the catalog, its certificate or the configuration is at fault, and with 75 if a later try may succeed.

            Example: promoctl setup https://example.com/catalog.json
            """)

    @Argument(help: ArgumentHelp("The catalog's address, which begins with https.", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "A PEM file of additional certificates to trust.",
            valueName: "path"),
        completion: .file())
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "The proxy to fetch through, or \"direct\" for none.",
            valueName: "address"))
    var proxy: String?

    @Option(help: ArgumentHelp("The catalog's name, if it is not the default one.", valueName: "name"))
    var catalog = CatalogReference.defaultName

    @Flag(help: "Remove the catalog's file.")
    var remove = false

    @Flag(help: "Serve promod's sample, to look around.")
    var sample = false

    @Flag(help: "Write the file even if the catalog cannot be fetched.")
    var force = false

    @OptionGroup var options: CommonOptions

    func run() throws {
        let text = try text()
        let isRunning = try isRunning()
        var file = try SetupFile(of: catalog, in: try configurationDirectory())
        if geteuid() == 0 {
            note("This is root's own promod; a catalog for all users belongs in /etc/xdg/promod/catalogs.d.")
        }
        guard let text else { return try remove(file, isRunning: isRunning) }
        let done = try file.replace(with: text) ? "Wrote \(file.path)" : "This is already set in \(file.path)"
        var rest: String?
        do {
            if isRunning {
                try tryOut(file)
            } else {
                rest = "promod is not running: systemctl --user start promod.socket"
            }
        } catch {
            guard force else { throw error }
            rest = error.message ?? ""
        }
        file.keep()
        if let rest { return try end(file, "\(done). \(rest)") }
        note(done)
        try ListReport(client: options.client, catalog: .name(catalog), isJSON: options.json).show()
    }

    /// Has promod read the new file and fetch the catalog. If that fails or is interrupted, puts the former file back, unless it is forced.
    private func tryOut(_ file: SetupFile) throws(CommandFailure) {
        let queue = DispatchQueue(label: "promoctl.setup")
        let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP].filter { promod_is_ignored($0) == 0 }.map { number in
            DispatchSource.signalSource(of: number, queue: queue) {
                if force { file.keep() } else { _ = file.putBack() }
                Glibc.exit(128 + number)
            }
        }
        defer { signals.forEach { $0.cancel() } }
        do {
            return try fetch(file)
        } catch {
            let failure =
                (error as? PromoError).map(CommandFailure.init) ?? error as? CommandFailure
                ?? CommandFailure(.unreachable, "\(error)")
            if force { throw failure }
            // A signal that comes meanwhile ends this process after the file is back.
            let state = queue.sync { file.putBack() }
            _ = try? options.client.ask(.command(.reload))
            throw CommandFailure(
                code: failure.code, reason: failure.reason,
                "\((failure.message ?? "").sentence) \(file.path) \(state); --force writes it anyway.")
        }
    }

    private func fetch(_ file: SetupFile) throws {
        _ = try options.client.ask(.command(.reload))
        guard let kept = try options.kept(.name(catalog)) else {
            throw CommandFailure(
                .refused, "promod does not read this file: its XDG_CONFIG_HOME differs from this shell's.")
        }
        guard kept.fileID == file.id else {
            throw CommandFailure(
                .refused,
                kept.file.map { "promod reads \($0), not this file: its XDG_CONFIG_HOME differs from this shell's." }
                    ?? "promod was started with an address for this catalog, which overrides the file.")
        }
        // The sample needs no fetch.
        guard url != nil else { return }
        let result = try Progress.during("promod is fetching \(kept.url ?? catalog)") {
            try options.refresh(.name(catalog)).result
        }
        guard let error = result.failure else { return }
        // A deferral of a second, rounded up, follows the attempt that the reload has begun, but a longer one an older attempt.
        if let retryAt = result.retryAt, retryAt - .now > .seconds(2), let deferral = result.deferral(of: kept) {
            throw CommandFailure(.tryLater, "\(deferral) The attempt before failed: \(error.message.sentence)")
        }
        // promod does not try this address again.
        guard !Self.mayPass(error.code) else { throw CommandFailure(.tryLater, error.message) }
        let advice = try options.advice(on: error, of: .name(catalog))
        throw CommandFailure(.refused, "\(error.message.sentence)\(advice)")
    }

    /// Whether the same command may succeed later.
    private static func mayPass(_ code: Growing<ProblemCode>) -> Bool {
        switch code.known {
        case .dns, .connect, .proxy, .timeout, .unavailable, .httpStatus, .storage, .interrupted, .fetchProcess: true
        default: false
        }
    }

    private func remove(_ file: SetupFile, isRunning: Bool) throws {
        let done = try file.remove() ? "Removed \(file.path)" : "There is no file \(file.path)"
        guard isRunning else { return try end(file, done + ".") }
        do { _ = try options.client.ask(.command(.reload)) } catch {
            let failure = CommandFailure(error)
            throw CommandFailure(code: failure.code, reason: failure.reason, "\(done), but: \(error.message.sentence)")
        }
        let kept = try options.kept(.name(catalog))
        let source = kept?.file ?? "the command line"
        try end(
            file,
            done + (kept == nil ? "." : ". promod still keeps the catalog \(catalog), which \(source) configures."))
    }

    // MARK: Arguments

    /// The text of the file; nil to remove it.
    /// - Throws: `ValidationError` if the arguments ask for nothing, for two things, or for what does not go together. The parser would
    ///   call a check in `validate()` before it complains about an unknown option.
    private func text() throws -> String? {
        let given = [("an address", url != nil), ("--sample", sample), ("--remove", remove)].filter(\.1).map(\.0)
        guard let action = given.first else {
            throw ValidationError("The address of a catalog is missing; --sample serves one to look around.")
        }
        if given.count > 1 {
            throw ValidationError("\(given[1]) and \(action) exclude each other; give only one.")
        }
        guard CatalogReference.isName(catalog) else {
            throw ValidationError(
                "--catalog takes a name of \(CatalogReference.nameForm), such as acme\(AppID.hint(OutsideText(catalog)))."
            )
        }
        if sample && catalog != CatalogReference.defaultName {
            throw ValidationError("--sample is for the default catalog; leave out --catalog.")
        }
        try OptionValue.check(proxy: proxy)
        guard let url else {
            if let setting = [("--ca-file", caFile), ("--proxy", proxy)].first(where: { $0.1 != nil })?.0 {
                throw ValidationError("\(setting) needs an address; \(action) takes none.")
            }
            return remove ? nil : Self.text([("url", "sample")])
        }
        guard let address = HTTPSURL(url) else {
            let isFile = FileSystem.access(url, F_OK) == 0
            let refusal = "setup takes the address of a catalog on a web server; promoctl validate checks a file."
            throw ValidationError(isFile ? refusal : HTTPSURL.refusal(of: url))
        }
        let path = try caFile.map(Self.absolute)
        return Self.text([("url", address.normalized), ("ca-file", path), ("proxy", proxy)])
    }

    /// The path of a file for promod, which has another directory.
    private static func absolute(_ path: String) throws -> String {
        if path.hasPrefix("/") { return path }
        guard let directory = try? String(resolving: ".") else {
            throw ValidationError("This directory does not exist any more, so --ca-file needs an absolute path.")
        }
        return "\(directory)/\(path)"
    }

    /// The text of a file with these keys. A string of TOML may have the escapes of JSON.
    private static func text(_ settings: [(key: String, value: String?)]) -> String {
        let lines = settings.compactMap { key, value -> String? in
            guard let value else { return nil }
            var writer = JSONWriter()
            writer.value(value)
            return "\(key) = \(String(decoding: writer.bytes, as: UTF8.self))\n"
        }
        return "# Written by promoctl setup, which replaces the whole file.\n" + lines.joined()
    }

    // MARK: promod

    /// Whether promod runs; without it, the file is read when it starts.
    private func isRunning() throws -> Bool {
        do {
            _ = try options.status()
            return true
        } catch let error as PromoError where error.code == .daemonUnreachable && error.reason == nil {
            return false
        }
    }

    /// The person's configuration directory of promod.
    private func configurationDirectory() throws -> String {
        let variables = ProcessEnvironment().variables
        if let directory = variables["XDG_CONFIG_HOME"], directory.hasPrefix("/") { return directory + "/promod" }
        guard let home = variables["HOME"], home.hasPrefix("/") else {
            throw CommandFailure(.usage, "HOME is not set, so promod's configuration is not known.")
        }
        return home + "/.config/promod"
    }

    private func note(_ text: String) {
        if !options.json { Output.note(text.printable, isWrapped: true) }
    }

    /// Prints a line, or with `--json` the path of the file.
    private func end(_ file: SetupFile, _ line: String) throws {
        guard options.json else { return try Output.line(line.printable) }
        var writer = JSONWriter()
        writer.object { $0.member("file", file.path) }
        try Output.text(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }
}
