import PromoDaemon

/// The configuration in force, as TOML whose comments say where each value came from.
struct PrintedConfiguration {
    let commandLine: [String: String]

    func print() throws {
        let loader = try ConfigurationLoader.ofProcess(commandLine: commandLine)
        let loaded = try loader.loadOrEnd()
        Swift.print("# Files, later ones override earlier ones: \(loader.files.joined(separator: ", "))")
        for key in ConfigurationKey.all {
            let source = loaded.sources[key.name] ?? "default"
            if let value = key.shown(in: loaded.configuration) {
                Swift.print("\(key.name) = \(value)  # \(source)")
            } else {
                Swift.print("# \(key.name) is not set")
            }
        }
    }
}
