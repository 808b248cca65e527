import ArgumentParser
import CrossPromoKit
import Glibc
import PromoOptions
import PromoSystem
import PromoWire

struct Setup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give promod the address of a catalog.",
        discussion: """
            Fetches and checks the catalog, and writes nothing unless it is good. Then writes the address to \
            ~/.config/promod/catalogs.d/default.toml, replacing the whole file, has promod read it, and shows the list.

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

    @Flag(help: "Remove the drop-in.")
    var remove = false

    @Flag(help: "Serve promod's sample, to look around.")
    var sample = false

    @Flag(help: "Write the drop-in without a check of the catalog.")
    var force = false

    @OptionGroup var options: CommonOptions

    func run() throws {
        let text = try text()
        let path = "\(try configurationDirectory())/catalogs.d/\(catalog).toml"
        if geteuid() == 0 {
            note("This is root's own promod; a catalog for all users belongs in /etc/xdg/promod/catalogs.d.")
        }
        guard let text else { return try remove(path) }
        if let url, !force { try check(url) }
        try write(text, to: path)
        let done = "Wrote \(path)"
        guard try isRunning(done) else {
            return try end(path, "\(done). promod is not running. \(StartHint.text)")
        }
        try reload(done)
        let kept = try options.kept(.name(catalog))
        if let refusal = refusal(of: path, kept) { throw CommandFailure(.refused, "\(done), but \(refusal)") }
        // The sample needs no fetch.
        if url != nil {
            let result = try Progress.during("promod is fetching the catalog") {
                try options.refresh(.name(catalog)).result
            }
            if let failure = result.failure {
                let reason = [result.deferral(of: kept), failure.message].compactMap(\.self).joined(separator: " ")
                guard force else { throw CommandFailure(.tryLater, "\(done), but: \(reason)") }
                return try end(path, "\(done). \(reason)")
            }
        }
        note(done)
        try ListReport(client: options.client, catalog: .name(catalog), isJSON: options.json).show()
    }

    /// Fetches and checks the catalog as promod does.
    private func check(_ url: String) throws {
        let settings = [("--ca-file", try caFile.map(Self.absolute)), ("--proxy", proxy)]
            .compactMap { name, value in value.map { "\(name)=\($0)" } }
        let (lines, result) = try Progress.during("Fetching \(HTTPSURL(url)?.description ?? url)") {
            try DaemonProgram.run(["validate", "--no-icons", url] + settings)
        }
        guard result != 0 else { return }
        let code = result == EX_TEMPFAIL ? CommandFailure.Code.tryLater : .refused
        let nothing = "Nothing was written."
        if options.json { throw CommandFailure(code, (lines + [nothing]).joined(separator: " ")) }
        for line in lines { Output.note(line.printable) }
        throw CommandFailure(code, nothing)
    }

    /// Replaces the file in one step: that to which a symbolic link leads, unless it leads to no file, as one to /dev/null.
    private func write(_ text: String, to path: String) throws(CommandFailure) {
        guard FileSystem.makeDirectories(path.directory) == nil else { throw Self.refusal(path, "written") }
        let target = stat(of: path)?.kind == S_IFREG ? (try? String(resolving: path)).flatMap(\.self) ?? path : path
        do { try OutputFile(target, replacingAnythingWith: 0o600).replace(with: Array(text.utf8)) } catch {
            throw CommandFailure(.outputError, "\(error).")
        }
    }

    private func remove(_ path: String) throws {
        var done = "Removed \(path)"
        if FileSystem.unlink(path) != 0 {
            guard errno == ENOENT else { throw Self.refusal(path, "removed") }
            done = "There is no file \(path)"
        }
        guard try isRunning(done) else { return try end(path, done + ".") }
        try reload(done)
        let kept = try options.kept(.name(catalog))
        let source = kept?.file ?? "the command line"
        try end(
            path,
            done + (kept == nil ? "." : ". promod still keeps the catalog \(catalog), which \(source) configures."))
    }

    private static func refusal(_ path: String, _ verb: String) -> CommandFailure {
        CommandFailure(.outputError, "\(path) cannot be \(verb): \(String(systemError: errno).lowercased()).")
    }

    /// Has promod read the files again.
    private func reload(_ done: String) throws {
        do { _ = try options.client.ask(.command(.reload)) } catch { throw Self.failure(error, after: done) }
    }

    /// Why promod has another file in force; nil if it has this one.
    private func refusal(of path: String, _ kept: CatalogStatus?) -> String? {
        guard let kept else { return "promod does not read it: its XDG_CONFIG_HOME differs from this shell's." }
        // Another setup may have replaced it meanwhile.
        if kept.fileID == stat(of: path)?.fileID || kept.file == path { return nil }
        return kept.file.map { "promod reads \($0), not this file: its XDG_CONFIG_HOME differs from this shell's." }
            ?? "promod was started with an address for this catalog, which overrides the file."
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
            let refusal = "setup takes the address of a catalog on a web server; \"promoctl validate\" checks a file."
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

    /// Whether promod runs; else the file is read when it starts.
    private func isRunning(_ done: String) throws -> Bool {
        do throws(PromoError) {
            _ = try options.client.ask(.status)
            return true
        } catch {
            if error.code == .daemonUnreachable, error.reason == nil { return false }
            throw Self.failure(error, after: done)
        }
    }

    private static func failure(_ error: PromoError, after done: String) -> CommandFailure {
        let failure = CommandFailure(error)
        return CommandFailure(code: failure.code, reason: failure.reason, "\(done), but: \(error.message.sentence)")
    }

    /// The person's configuration directory of promod.
    private func configurationDirectory() throws -> String {
        let variables = ProcessEnvironment().variables
        guard let base = variables.baseDirectory("XDG_CONFIG_HOME", "/.config", home: variables["HOME"]) else {
            throw CommandFailure(.usage, "HOME is not set, so promod's configuration is not known.")
        }
        return base + "/promod"
    }

    private func note(_ text: String) {
        if !options.json { Output.note(text.printable, isWrapped: true) }
    }

    /// Prints a line, or with `--json` the path of the file.
    private func end(_ path: String, _ line: String) throws {
        guard options.json else { return try Output.line(line.printable) }
        var writer = JSONWriter()
        writer.object { $0.member("file", path) }
        try Output.text(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }
}
