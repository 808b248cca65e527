import ArgumentParser
import PromoDaemon

/// The configuration in force, as TOML whose comments say where each value came from.
struct PrintedConfiguration {
    let commandLine: [String: String]

    func print() throws {
        let environment = ProcessSetup.environment
        let loader = ConfigurationLoader(
            commandLine: commandLine, environment: environment,
            directories: Directories(environment: environment, home: ProcessSetup.home))
        let loaded: ConfigurationLoader.Loaded
        do {
            loaded = try loader.load()
        } catch {
            for line in error.lines { StandardError.write("promod: \(line)") }
            throw ArgumentParser.ExitCode(PromoDaemon.ExitCode.configuration.rawValue)
        }
        Swift.print("# The files, the most important last: \(loader.files.joined(separator: ", "))")
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
