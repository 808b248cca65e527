import PromoDaemon
import PromoWire

/// The configuration in force, as TOML in which comments name the source of each value.
struct PrintedConfiguration {
    let commandLine: [String: String]

    func print() throws {
        let loader = try ConfigurationLoader.ofProcess(commandLine: commandLine)
        let loaded = try loader.load()
        let keys = ConfigurationKey.all.map {
            Self.line($0.name, $0.shown(in: loaded.configuration), loaded.sources[$0.name])
        }
        let files = loader.files.joined(separator: ", ")
        let kept = loaded.kept(withCache: loader.cachePath)
        let dropIns = loader.dropInDirectories.joined(separator: ", ")
        try StandardOutput.write(
            lines: ["# Files, later ones override earlier ones: \(files)"] + keys + [
                "# Drop-ins, earlier directories override later ones: \(dropIns)"
            ] + kept.others.flatMap(lines(of:))
                + kept.ignored.files.map { "# \($0.file) is ignored: \($0.error)" })
    }

    /// The keys of another catalog than the default one.
    private func lines(of catalog: NamedCatalog) -> [String] {
        if let problem = catalog.problem { return ["# catalogs.\(catalog.name) is not fetched: \(problem)"] }
        var whole = Configuration()
        whole.catalog = catalog.configuration
        return NamedCatalog.keys.map { key in
            let short = NamedCatalog.shortName(of: key)
            return Self.line("catalogs.\(catalog.name).\(short)", key.shown(in: whole), catalog.sources[short])
        }
    }

    private static func line(_ name: String, _ value: String?, _ source: String?) -> String {
        value.map { "\(name) = \($0)  # \(source ?? "default")" } ?? "# \(name) is not set"
    }
}
