import PromoCore
import PromoWire

/// Reads the four layers: the command line over the environment over the user's file over the system's over the defaults.
package struct ConfigurationLoader: Sendable {
    /// Where a value came from, to be shown.
    package typealias Sources = [String: String]

    /// A configuration that can be in force.
    package struct Loaded: Equatable, Sendable {
        package var configuration: Configuration
        /// For each key that a layer set: where.
        package var sources: Sources
        /// The file of the highest layer that has one.
        package var file: String?
    }

    private let commandLine: [String: String]
    private let environment: [String: String]
    private let directories: Directories
    private let readFile: @Sendable (String) throws(SystemError) -> [UInt8]?

    /// A loader for a process.
    /// - Parameters:
    ///   - commandLine: option names without hyphens, with their values.
    ///   - readFile: a file's bytes, nil where there is none.
    package init(
        commandLine: [String: String], environment: [String: String], directories: Directories,
        readFile: @escaping @Sendable (String) throws(SystemError) -> [UInt8]? = { path throws(SystemError) in
            try FileReader.read(path, maximumBytes: 1 << 16)
        }
    ) {
        self.commandLine = commandLine
        self.environment = environment
        self.directories = directories
        self.readFile = readFile
    }

    /// The files that are read, the lowest layer first.
    package var files: [String] {
        (directories.systemConfiguration.reversed() + [directories.configuration]).map { $0 + "/config.toml" }
    }

    /// Reads all layers.
    /// - Throws: ``BadConfiguration`` with every problem.
    package func load() throws(BadConfiguration) -> Loaded {
        var assembly = Assembly()
        for file in files { assembly.add(file: file, readFile) }
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) { assembly.add(variable: name, value) }
        for (name, value) in commandLine.sorted(by: { $0.key < $1.key }) { assembly.add(option: name, value) }
        assembly.checkTogether()
        guard assembly.problems.isEmpty else { throw BadConfiguration(problems: assembly.problems) }
        return assembly.loaded
    }

    /// The file that holds, or is to hold, the user's configuration where nothing better is known.
    package var fileToMend: String {
        let present = files.last { file in
            do throws(SystemError) { return try readFile(file) != nil } catch { return true }
        }
        return present ?? directories.configuration + "/config.toml"
    }
}

/// The layers put over one another so far.
private struct Assembly {
    var loaded = ConfigurationLoader.Loaded(configuration: Configuration(), sources: [:])
    var problems: [ConfigurationProblem] = []

    /// `PROMOD_SOCKET` says where the daemon listens, for it and for its clients, and is no key.
    private static let otherVariables: Set = ["PROMOD_SOCKET"]

    mutating func add(file: String, _ read: (String) throws(SystemError) -> [UInt8]?) {
        do {
            guard let bytes = try read(file) else { return }
            loaded.file = file
            guard let text = String(validating: bytes, as: UTF8.self) else {
                problems.append(ConfigurationProblem(place: file, message: "the file is no UTF-8 text"))
                return
            }
            for entry in try ConfigurationFile(text: text, path: file).entries {
                let place = entry.line.map { "\(file):\($0)" } ?? file
                if entry.value == .table, ConfigurationKey.all.contains(where: { $0.name.hasPrefix(entry.name + ".") })
                {
                    continue
                }
                guard let key = ConfigurationKey.all.first(where: { $0.name == entry.name }) else {
                    unknown(entry.name, among: ConfigurationKey.all.map(\.name), place: place)
                    continue
                }
                set(key, entry.value, place: place)
            }
        } catch let problem as ConfigurationProblem {
            problems.append(problem)
        } catch {
            problems.append(
                ConfigurationProblem(place: file, message: "\((error as? SystemError)?.reason ?? "\(error)")"))
        }
    }

    mutating func add(variable: String, _ value: String) {
        guard variable.hasPrefix("PROMOD_"), !Self.otherVariables.contains(variable) else { return }
        guard let key = ConfigurationKey.all.first(where: { $0.variable == variable }) else {
            unknown(variable, among: ConfigurationKey.all.map(\.variable), place: "environment")
            return
        }
        set(key, .untyped(value), place: "environment variable \(variable)")
    }

    mutating func add(option: String, _ value: String) {
        guard let key = ConfigurationKey.all.first(where: { $0.option == option }) else {
            unknown("--" + option, among: ConfigurationKey.all.map { "--" + $0.option }, place: "command line")
            return
        }
        set(key, .untyped(value), place: "command line --\(option)")
    }

    /// What each value alone cannot show.
    mutating func checkTogether() {
        let backoff = loaded.configuration.refresh.backoff
        for (name, duration) in [("retry.floor", backoff.floor), ("retry.base", backoff.base)]
        where duration > backoff.cap {
            problems.append(
                ConfigurationProblem(
                    place: loaded.sources[name] ?? loaded.sources["retry.cap"] ?? "defaults",
                    message: "\(name) (\(duration.configured)) must be at most retry.cap (\(backoff.cap.configured))"))
        }
    }

    private mutating func set(_ key: ConfigurationKey, _ value: ConfigurationValue, place: String) {
        do {
            try key.set(value, in: &loaded.configuration)
            loaded.sources[key.name] = place
        } catch {
            problems.append(ConfigurationProblem(place: place, message: "\(error.key) takes \(error.takes)"))
        }
    }

    private mutating func unknown(_ name: String, among names: [String], place: String) {
        let name = name.shortened()
        let meant = nearestWord(to: name, among: names, within: 3)
        let help = meant.map { "; did you mean \($0)?" } ?? "; promod --print-configuration lists the keys"
        // In a message of one line, whatever somebody put into a key.
        let shown = String(name.map { $0.isNewline || $0.asciiValue.map { $0 < 0x20 } == true ? "?" : $0 })
        problems.append(ConfigurationProblem(place: place, message: "\(shown) is no key of the configuration\(help)"))
    }
}
