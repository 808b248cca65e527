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
            for "bookray" beside an app "bookary". The format of a catalog is in promod.catalog(5).

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

    /// No daemon takes a larger one, however it is configured.
    private static let maximumBytes = 64 * 1024 * 1024

    func validate() throws {
        if let refusal = HTTPSURL.refusal(ofPlace: place) { throw ValidationError(refusal) }
    }

    func run() throws {
        let fetched = try HTTPSURL(place).map(fetch) ?? FetchedCatalog(name: place, bytes: read())
        guard let (catalog, warnings) = fetched.checked(reporting: { print($0.printable) }) else {
            throw ArgumentParser.ExitCode(65)
        }
        let counts = [
            catalog.apps.count.counting("app"), catalog.promoRules.count.counting("rule"),
            "generation \(fetched.generation)",
        ]
        let remarks = warnings > 0 ? [warnings.counting("warning")] : []
        print("\(fetched.name.printable): good, \((counts + remarks).joined(separator: ", "))")
        if strict && warnings > 0 { throw ArgumentParser.ExitCode(1) }
    }

    private func fetch(_ url: HTTPSURL) throws -> FetchedCatalog {
        try FetchedCatalog(url, configuration())
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
            StandardError.write("promod: there is no file \(place)")
        } catch {
            StandardError.write("promod: \(error)")
        }
        throw ArgumentParser.ExitCode(66)
    }
}
