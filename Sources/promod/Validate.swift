import ArgumentParser
import PromoCore
import PromoDaemon
import PromoWire

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a catalog by the rules that the daemon checks it by.",
        discussion: """
            Prints a line a finding, with a JSON Pointer to the spot.

            Exit codes: 0 for a good catalog, 65 for findings, 66 where the file cannot be read, 69 where the address \
            cannot be fetched.

            Example: promod validate catalog.json
            """)

    @Argument(
        help: ArgumentHelp("The catalog, a JSON file or an https address.", valueName: "catalog"),
        completion: .file(extensions: ["json"]))
    var place: String

    /// No daemon takes a larger one, however it is configured.
    private static let maximumBytes = 64 * 1024 * 1024

    func validate() throws {
        guard HTTPSURL(place) == nil, place.contains("://") else { return }
        throw ValidationError(HTTPSURL.refusal)
    }

    func run() throws {
        let fetched = try HTTPSURL(place).map(fetch) ?? FetchedCatalog(name: place, bytes: read())
        guard let catalog = fetched.checked(telling: { print($0.printable) }) else { throw ArgumentParser.ExitCode(65) }
        let (apps, rules) = (catalog.apps.count, catalog.promoRules.count)
        print("\(fetched.name.printable): good, \(apps) apps, \(rules) rules, generation \(fetched.generation)")
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
