import PromoCore
import PromoWire

/// Loads the configuration. The command line overrides the environment, then come the user's file, the system's files and the
/// defaults.
package struct ConfigurationLoader: Sendable {
    /// The place from which each key's value came, for people.
    package typealias Sources = [String: String]

    /// Reads a file of at most `maximumBytes`; nil if there is none.
    package typealias ReadFile = @Sendable (_ path: String, _ maximumBytes: Int) throws(SystemError) -> [UInt8]?

    /// A valid configuration.
    package struct Loaded: Equatable, Sendable {
        package var configuration: Configuration
        /// For each key that is set, the place where it is.
        package var sources: Sources
        /// The file that overrides all others; nil if there is no file.
        package var file: String?
        /// The catalogs of drop-ins.
        package var dropIns = DropInCatalogs()

        /// The catalogs that a promod keeps with this cache directory.
        package func kept(withCache path: String) -> KeptCatalogs {
            KeptCatalogs(
                default: configuration.catalog, tables: configuration.catalogs, dropIns: dropIns,
                cached: CatalogCaches(in: PrivateDirectory(path: path)).addressesInUse())
        }

        /// The file that sets the address of the default catalog; nil if no file does.
        package var catalogFile: String? {
            guard let place = sources["catalog.url"], place.hasPrefix("/") else { return nil }
            return place.lastIndex(of: ":").map { String(place[..<$0]) }
        }
    }

    private let commandLine: [String: String]
    private let environment: [String: String]
    private let directories: Directories
    /// The path of the user's file, which need not exist.
    package let userFile: String
    private let readFile: ReadFile
    private let listDirectory: DropInCatalogs.ListDirectory

    /// A loader for a process.
    /// - Parameters:
    ///   - commandLine: values by the names of their keys.
    ///   - userFile: the path of the user's file, if it is not the one that the environment specifies.
    package init(
        commandLine: [String: String], environment: [String: String], directories: Directories, userFile: String? = nil,
        readFile: @escaping ReadFile = { path, maximumBytes throws(SystemError) in
            try FileReader.read(path, maximumBytes: maximumBytes)
        },
        listDirectory: @escaping DropInCatalogs.ListDirectory = { path, maximum throws(SystemError) in
            try DirectoryReader.names(in: path, maximum: maximum)
        }
    ) {
        self.commandLine = commandLine
        self.environment = environment
        self.directories = directories
        self.userFile = userFile ?? directories.configurationFile
        self.readFile = readFile
        self.listDirectory = listDirectory
    }

    /// The paths of the files to read; later ones override earlier ones.
    package var files: [String] {
        directories.systemConfigurationFiles.reversed() + [userFile]
    }

    /// Reads all layers.
    /// - Throws: ``BadConfiguration`` with every problem.
    package func load() throws(BadConfiguration) -> Loaded {
        var assembly = Assembly()
        for file in files { assembly.add(file: file, readFile) }
        assembly.add(environment: environment)
        assembly.add(commandLine: commandLine)
        assembly.checkTogether(readFile)
        guard assembly.bad.problems.isEmpty else { throw assembly.bad }
        var loaded = assembly.loaded
        loaded.configuration.proxies = Proxies(loaded.configuration.proxyKey, environment: environment)
        loaded.dropIns = loadDropIns()
        return loaded
    }

    /// The cache directory of the environment.
    package var cachePath: String { directories.cache }

    /// The directories of drop-ins, the most important first.
    package var dropInDirectories: [String] { directories.dropIns }

    /// Reads the drop-ins.
    package func loadDropIns() -> DropInCatalogs {
        DropInCatalogs(
            in: directories.dropIns, apps: apps.filesWithDropIns(listDirectory), list: listDirectory, readFile: readFile
        )
    }

    private var apps: FlatpakApps { FlatpakApps(installations: directories.flatpakInstallations) }

    /// What changes when a drop-in does.
    var watchedPaths: [String] { directories.dropIns + apps.marks }

    /// The file that a message names if the configuration is broken: the existing one that overrides all others, else the user's.
    package var fileToMend: String {
        let present = files.last { file in
            do throws(SystemError) { return try readFile(file, ConfigurationFile.maximumBytes) != nil } catch {
                return true
            }
        }
        return present ?? userFile
    }
}

/// The result of the layers that have been read.
private struct Assembly {
    private(set) var loaded = ConfigurationLoader.Loaded(configuration: Configuration(), sources: [:])
    /// The problems so far.
    private(set) var bad = BadConfiguration()

    /// The address of the socket, for the daemon and for its clients, which is not a key.
    private static let socketVariable = "PROMOD_SOCKET"

    mutating func add(file: String, _ read: ConfigurationLoader.ReadFile) {
        do {
            guard let bytes = try read(file, ConfigurationFile.maximumBytes) else { return }
            loaded.file = file
            for entry in try ConfigurationFile(bytes, path: file).entries { add(entry, of: file) }
        } catch let problem as ConfigurationProblem {
            bad.add(problem)
        } catch {
            bad.add(ConfigurationProblem(place: file, message: "\((error as? SystemError)?.reason ?? "\(error)")"))
        }
    }

    private mutating func add(_ entry: ConfigurationFile.Entry, of file: String) {
        let place = "\(file):\(entry.line)"
        if entry.name == Self.catalogs, entry.value == .table { return }
        if entry.name.hasPrefix(Self.catalogs + ".") { return addCatalog(entry, of: file, place: place) }
        if entry.value == .table, ConfigurationKey.all.contains(where: { $0.name.hasPrefix(entry.name + ".") }) {
            return
        }
        guard let key = ConfigurationKey.named(entry.name) else {
            return bad.add(Self.unknown(entry.name, among: ConfigurationKey.all.map(\.name), place: place))
        }
        set(key, entry.value, place: place)
    }

    /// The table of the catalogs besides the default one.
    private static let catalogs = "catalogs"

    /// Adds an entry of a table `catalogs.NAME`. A key that several files set has the value of the most important one.
    private mutating func addCatalog(_ entry: ConfigurationFile.Entry, of file: String, place: String) {
        let parts = entry.name.split(separator: ".", maxSplits: 2).map(String.init)
        let name = parts.count > 1 ? parts[1] : ""
        if let problem = NamedCatalog.problem(ofName: name) {
            return bad.add(ConfigurationProblem(place: place, message: problem))
        }
        let table = "\(Self.catalogs).\(name)"
        guard parts.count > 2 || entry.value == .table else {
            return bad.add(
                ConfigurationProblem(place: place, message: "\(table) takes a table with the catalog's keys"))
        }
        var catalogs = loaded.configuration.catalogs
        let index = catalogs.firstIndex { $0.name == name } ?? catalogs.endIndex
        if index == catalogs.endIndex { catalogs.append(NamedCatalog(name: name, file: file)) }
        catalogs[index].file = file
        do {
            if parts.count > 2 {
                try catalogs[index].set(parts[2], to: entry.value, table: table + ".", place: place)
            }
        } catch {
            bad.add(error)
        }
        loaded.configuration.catalogs = catalogs
    }

    mutating func add(environment: [String: String]) {
        let variables = environment.filter { $0.key.hasPrefix("PROMOD_") && $0.key != Self.socketVariable }
        add(variables, by: \.variable, of: "environment") { "environment variable \($0)" }
    }

    mutating func add(commandLine: [String: String]) {
        add(commandLine, by: \.name, of: "command line") { _ in "command line" }
    }

    private mutating func add(
        _ values: [String: String], by name: KeyPath<ConfigurationKey, String>, of layer: String,
        place: (_ name: String) -> String
    ) {
        for (written, value) in values.sorted(by: { $0.key < $1.key }) {
            if let key = ConfigurationKey.all.first(where: { $0[keyPath: name] == written }) {
                set(key, .untyped(OutsideText(value)), place: place(written))
            } else {
                bad.add(Self.unknown(written, among: ConfigurationKey.all.map { $0[keyPath: name] }, place: layer))
            }
        }
    }

    /// Checks constraints between keys, and the file that a key names.
    mutating func checkTogether(_ readFile: ConfigurationLoader.ReadFile) {
        let (configuration, sources) = (loaded.configuration, loaded.sources)
        for catalog in configuration.catalogs {
            for problem in catalog.problems(table: "\(Self.catalogs).\(catalog.name).", readFile) { bad.add(problem) }
        }
        if let catalog = configuration.catalogs.dropFirst(NamedCatalog.maximumCount - 1).first {
            bad.add(
                ConfigurationProblem(
                    place: catalog.file,
                    message: "there are more than \(NamedCatalog.maximumCount) catalogs, with the default one"))
        }
        loaded.configuration.catalogs.sort { $0.name < $1.name }
        if let path = configuration.catalog.caFile, let problem = TrustedCertificates.problem(in: path, readFile) {
            bad.add(ConfigurationProblem(place: sources["catalog.ca-file"] ?? "defaults", message: problem))
        }
        let backoff = configuration.refresh.backoff
        for (name, duration) in [("retry.floor", backoff.floor), ("retry.base", backoff.base)]
        where duration > backoff.cap {
            bad.add(
                ConfigurationProblem(
                    place: sources[name] ?? sources["retry.cap"] ?? "defaults",
                    message: "\(name) (\(duration.configured)) must be at most retry.cap (\(backoff.cap.configured))"))
        }
    }

    private mutating func set(_ key: ConfigurationKey, _ value: ConfigurationValue, place: String) {
        guard key.set(value, in: &loaded.configuration) else {
            return bad.add(ConfigurationProblem(place: place, message: "\(key.name) takes \(key.takes)"))
        }
        loaded.sources[key.name] = place
    }

    private static func unknown(_ name: String, among names: [String], place: String) -> ConfigurationProblem {
        let name = name.shortened()
        let meant = nearestWord(to: name, among: names, within: 3)
        let help = meant.map { "; did you mean \($0)?" } ?? "; promod --print-configuration lists the keys"
        return ConfigurationProblem(place: place, message: "\(name) is not a key of the configuration\(help)")
    }
}
