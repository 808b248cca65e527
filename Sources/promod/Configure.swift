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
            everything else in the file as it is. A running daemon takes it over with "promoctl reload"; "promoctl setup" \
            does both and shows the list.

            With --sample it prints a catalog to begin with instead, and changes nothing. The format of a catalog is in \
            promod.catalog(5).

            Exit codes: 0 where it is written; 64 wrong usage; 65 broken rules in the catalog, or a file that cannot be edited; \
            69 the catalog cannot be fetched; 73 the file cannot be written; 74 the output cannot be written; 78 bad \
            configuration.

            Example: promod configure https://example.com/catalog.json
            """)

    @Argument(help: ArgumentHelp("Where the catalog is.", valueName: "https-url"))
    var url: String?

    @Option(help: ArgumentHelp("Certificates in PEM to trust beside the system's, from now on.", valueName: "path"))
    var caFile: String?

    @Flag(help: "Print a sample catalog, to begin your own with.")
    var sample = false

    func validate() throws {
        if sample && (url != nil || caFile != nil) {
            throw ValidationError("--sample only prints a catalog: leave the address and --ca-file out.")
        }
        guard sample || url != nil else {
            throw ValidationError("The address of a catalog is missing; --sample prints a catalog to begin with.")
        }
        if let url, HTTPSURL(url) == nil { throw ValidationError(HTTPSURL.refusal) }
    }

    func run() throws {
        if let url { try configure(url) } else { try printSample() }
    }

    private func printSample() throws {
        print(String(decoding: SampleCatalog.bytes, as: UTF8.self), terminator: "")
        guard fflush(nil) == 0 else {
            StandardError.write("promod: the output cannot be written: \(String(cString: strerror(errno)))")
            throw ArgumentParser.ExitCode(74)
        }
    }

    private func configure(_ url: String) throws {
        var options = ["catalog-url": url]
        options["catalog-ca-file"] = try caFile.map(absolute)
        let configuration = try ConfigurationLoader.ofProcess(commandLine: options).loadOrEnd().configuration
        guard let address = configuration.catalogURL else { throw ArgumentParser.ExitCode.validationFailure }
        StandardError.write("Fetching \(address)")
        let catalog = try FetchedCatalog(address, configuration)
        guard let checked = catalog.checked(reporting: StandardError.write) else { throw ArgumentParser.ExitCode(65) }
        StandardError.write("\(address): good, \(checked.catalog.apps.count.counting("app"))")
        try write(keys: options, into: Directories.ofProcess.configuration)
    }

    private func write(keys options: [String: String], into directory: String) throws {
        do {
            let file = try UserConfigurationFile(directory: directory)
            var text = file.text ?? ConfigurationEdit.preamble
            for key in ConfigurationKey.all {
                if let value = options[key.option] {
                    text = try ConfigurationEdit.set(key.name, to: value, in: text, path: file.path)
                }
            }
            try file.replace(with: text)
            StandardError.write("Wrote \(file.path)")
        } catch let problem as ConfigurationProblem {
            StandardError.write("promod: \(problem)")
            throw ArgumentParser.ExitCode(65)
        } catch let error as SystemError {
            StandardError.write("promod: \(error)")
            throw ArgumentParser.ExitCode(73)
        }
    }

    /// The daemon runs elsewhere, so the path must not depend on where this command was typed.
    private func absolute(_ path: String) throws -> String {
        guard let resolved = realpath(path, nil) else {
            throw ValidationError("There is no file \(path): \(String(cString: strerror(errno))).")
        }
        defer { free(resolved) }
        guard let text = String(validatingCString: resolved) else {
            throw ValidationError("The path that \(path) leads to is not valid UTF-8.")
        }
        return text
    }
}
