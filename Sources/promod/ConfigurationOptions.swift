import ArgumentParser
import PromoCore
import PromoDaemon
import PromoWire

/// The configuration's keys on the command line. Their values are text, which the loader checks like those from files.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The default catalog's address, or \"sample\".", valueName: "https-url"))
    var catalogURL: String?

    @Flag(help: "The same as --catalog-url sample.")
    var sample = false

    @Option(
        help: ArgumentHelp(
            "For tests: serve this file's apps on another socket, under any name; reviews do not wait.",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var catalogFile: String?

    @Option(
        help: ArgumentHelp(
            "The lowest level to log, from trace to critical. (info)", valueName: "level"),
        completion: .list(ConfigurationKeys.logLevels))
    var logLevel: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set a key, such as refresh.interval=1h.",
            valueName: "key=value"),
        completion: .list(ConfigurationKeys.daemon.map { "\($0.name)=" }))
    var settings: [String] = []

    /// The values that were given, by the names of their keys.
    func values() throws -> [String: String] {
        guard [sample, catalogURL != nil, catalogFile != nil].count(where: \.self) < 2 else {
            throw ValidationError("--sample, --catalog-url and --catalog-file set the same; leave out all but one.")
        }
        let isSample = sample || catalogFile != nil
        let options = [
            ConfigurationKeys.address: isSample ? ConfigurationKeys.sample : catalogURL, "log.level": logLevel,
        ]
        var values = options.compactMapValues(\.self)
        for setting in settings {
            // An address in place of a key may contain a password, which no message may show.
            guard let end = setting.firstIndex(of: "="), !setting[..<end].utf8.contains(UInt8(ascii: ":")) else {
                throw ValidationError("--set takes a key and its value, such as refresh.interval=1h.")
            }
            let key = String(setting[..<end])
            guard values.updateValue(String(setting[end...].dropFirst()), forKey: key) == nil else {
                throw ValidationError("The command line sets \(key) twice.")
            }
        }
        // A test lifts all limits of reviews but the completions, which are what it tries.
        let limits = ConfigurationKeys.daemon.map(\.name)
            .filter { $0.hasPrefix("review.") && $0 != "review.min-completions" }
        for key in limits where catalogFile != nil { values[key] = values[key] ?? "0" }
        return values
    }
}

/// The configuration in force, as TOML in which comments name the source of each value, and the catalogs that are kept.
struct PrintedConfiguration {
    let commandLine: [String: String]

    func print() throws {
        let loader = try ConfigurationLoader.ofProcess(commandLine: commandLine)
        let loaded = try loader.load()
        let keys = ConfigurationKeys.daemon.map { key in
            key.shown(in: loaded.configuration).map {
                "\(key.name) = \($0)  # \(loaded.sources[key.name] ?? "default"); takes \(key.takes)"
            } ?? "# \(key.name) is not set; takes \(key.takes)"
        }
        let address = loaded.sources[ConfigurationKeys.address].map { _ in
            "# The address on the command line counts in place of default.toml's"
        }
        let files = loader.files.joined(separator: ", ")
        let dropIns = loader.dropInDirectories.joined(separator: ", ")
        try StandardOutput.write(
            lines: ["# Files, later ones override earlier ones: \(files)"] + keys + [
                "# Drop-ins, earlier directories override later ones: \(dropIns)"
            ] + [address].compactMap(\.self) + CatalogRoster(loaded.dropIns.entries).catalogs.flatMap(lines)
                + loaded.dropIns.ignored.map { "# \($0.text)" })
    }

    private func lines(of catalog: CatalogRoster.Catalog) -> [String] {
        let (entry, aliases) = (catalog.entry, catalog.aliases.map { "# also \($0.name), by \($0.file)" })
        let head = "# \(entry.name), by \(entry.file ?? "the command line")"
        if let problem = entry.problem { return [head + ", is not fetched: \(problem)"] }
        return [head] + aliases
            + ConfigurationKeys.catalog.compactMap { key in
                key.shown(in: entry.settings).map { "# \(key.name) = \($0)" }
            }
    }
}
