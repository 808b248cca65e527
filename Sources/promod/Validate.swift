import ArgumentParser
import PromoCore
import PromoDaemon
import PromoWire

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a catalog by the rules that the daemon checks it by.",
        discussion: """
            Prints a line for each broken rule and for each warning: the line and column of the spot, its JSON Pointer, and \
            what is to be done. A warning is about something that breaks no rule and is probably a slip, such as a rule \
            for "bookray" beside an app "bookary". The format of a catalog is in promod.catalog(5). With --json the same is one \
            line of JSON.

            Exit codes: 0 for a good catalog, 1 for warnings with --strict, 65 for broken rules, 66 if the file cannot be \
            read, 69 if the address cannot be fetched.

            Example: promod validate --strict catalog.json
            """)

    @Argument(
        help: ArgumentHelp("The catalog, a JSON file or an https address.", valueName: "catalog"),
        completion: .file(extensions: ["json"]))
    var place: String

    @Flag(help: "End with 1 if there are warnings.")
    var strict = false

    @Flag(help: "Print what was found as one line of JSON.")
    var json = false

    /// No daemon takes a larger one, however it is configured.
    private static let maximumBytes = 64 * 1024 * 1024

    func validate() throws {
        if let refusal = HTTPSURL.refusal(ofPlace: place) { throw ValidationError(refusal) }
    }

    func run() throws {
        let report = try HTTPSURL(place).map(fetch) ?? FetchedCatalog(name: place, bytes: read()).report
        if json {
            var writer = JSONWriter()
            report.write(to: &writer)
            print(String(decoding: writer.bytes, as: UTF8.self))
        } else {
            for line in report.lines { print(line.printable) }
        }
        if report.content == nil { throw ArgumentParser.ExitCode(65) }
        if strict && !report.warnings.isEmpty { throw ArgumentParser.ExitCode(1) }
    }

    private func fetch(_ url: HTTPSURL) throws -> CatalogReport {
        do {
            let fetched = try CatalogProbe(configuration(), now: ProcessSetup.now).fetch(url)
            return FetchedCatalog(name: url.description, bytes: fetched.bytes).report
        } catch let refusal as CatalogProbe.Refusal {
            throw unreadable(refusal.failure.message, code: 69)
        }
    }

    /// A broken configuration is not what was asked about; its problems are told, and the defaults serve.
    private func configuration() throws -> PromoDaemon.Configuration {
        let loader = try ConfigurationLoader.ofProcess(commandLine: [:])
        do {
            return try loader.load().configuration
        } catch {
            for line in error.lines { StandardError.write("promod: warning: \(line)") }
            return PromoDaemon.Configuration()
        }
    }

    private func read() throws -> [UInt8] {
        do {
            if let bytes = try FileReader.read(place, maximumBytes: Self.maximumBytes) { return bytes }
        } catch {
            throw unreadable("\(error)", code: 66)
        }
        throw unreadable("there is no file \(place)", code: 66)
    }

    /// Says why there is nothing to check; with --json as an error of the protocol's form.
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
