import PromoCore
import PromoDaemon
import PromoWire

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
        let overrides = ConfigurationKeys.overrides.compactMap { name in
            loaded.sources[name].map { "# \(name) of \($0) overrides default.toml" }
        }
        let files = loader.files.joined(separator: ", ")
        let dropIns = loader.dropInDirectories.joined(separator: ", ")
        try StandardOutput.write(
            lines: ["# Files, later ones override earlier ones: \(files)"] + keys + [
                "# Files of catalogs, earlier directories override later ones: \(dropIns)"
            ] + overrides + CatalogRoster(loaded.dropIns.entries).catalogs.flatMap(lines)
                + loaded.dropIns.ignored.files.map { "# \($0.file) is ignored: \($0.error)" })
    }

    private func lines(of catalog: CatalogRoster.Catalog) -> [String] {
        let (entry, aliases) = (catalog.entry, catalog.aliases.map { "# also \($0.name), by \($0.file)" })
        let head = "# \(entry.name), by \(entry.file ?? "the command line or the environment")"
        if let problem = entry.problem { return [head + ", is not fetched: \(problem)"] }
        return [head] + aliases
            + ConfigurationKeys.catalog.compactMap { key in
                key.shown(in: entry.settings).map { "# \(key.name) = \($0)" }
            }
    }
}
