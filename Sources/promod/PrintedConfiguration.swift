import PromoDaemon

/// The configuration in force, as TOML whose comments say where each value came from.
struct PrintedConfiguration {
    let commandLine: [String: String]

    func print() throws {
        let loader = try ConfigurationLoader.ofProcess(commandLine: commandLine)
        let loaded = try loader.loadOrEnd()
        let keys = ConfigurationKey.all.map { key in
            key.shown(in: loaded.configuration).map {
                "\(key.name) = \($0)  # \(loaded.sources[key.name] ?? "default")"
            }
                ?? "# \(key.name) is not set"
        }
        let files = loader.files.joined(separator: ", ")
        try StandardOutput.write(lines: ["# Files, later ones override earlier ones: \(files)"] + keys)
    }
}
