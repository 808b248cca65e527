import PromoCore
import PromoWire

/// Loads the configuration. The command line overrides the environment, which overrides the user's file, the system's files and the
/// defaults.
package struct ConfigurationLoader: Sendable {
    /// The place of each key's value, for people.
    package typealias Sources = [String: String]

    /// Reads a file of at most `maximumBytes`; nil if there is none.
    package typealias ReadFile = @Sendable (_ path: String, _ maximumBytes: Int) throws(SystemError) -> [UInt8]?

    /// A valid configuration.
    package struct Loaded: Equatable, Sendable {
        package var configuration: Configuration
        /// The place of each key that is set.
        package var sources: Sources
        /// The file that overrides all others; nil if there is no file.
        package var file: String?
        /// The catalogs of drop-ins.
        package var dropIns = DropInCatalogs()

        /// The catalogs that promod keeps with a cache directory.
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
    ///   - userFile: the path of the user's file; nil for the one that the environment specifies.
    package init(
        commandLine: [String: String], environment: [String: String], directories: Directories, userFile: String? = nil,
        readFile: @escaping ReadFile = FileReader.read,
        listDirectory: @escaping DropInCatalogs.ListDirectory = DirectoryReader.names
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
        var assembly = ConfigurationAssembly()
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

    /// The paths that change when a drop-in does.
    var watchedPaths: [String] { directories.dropIns + apps.marks }

    /// The file that a message names if the configuration is broken: the existing one that overrides all others, else the user's.
    package var fileToFix: String {
        let present = files.last { file in
            do throws(SystemError) { return try readFile(file, ConfigurationFile.maximumBytes) != nil } catch {
                return true
            }
        }
        return present ?? userFile
    }
}

extension ConfigurationLoader {
    /// A loader for this process.
    /// - Throws: ``StartFailure`` if a variable that promod uses is not valid UTF-8.
    package static func ofProcess(
        commandLine: [String: String] = [:], userFile: String? = nil
    ) throws(StartFailure) -> ConfigurationLoader {
        try ProcessSetup.checkEnvironment()
        return ConfigurationLoader(
            commandLine: commandLine, environment: ProcessSetup.environment, directories: .ofProcess, userFile: userFile
        )
    }
}

extension Directories {
    /// promod's directories for the user of this process.
    package static var ofProcess: Directories {
        Directories(environment: ProcessSetup.environment, home: ProcessSetup.home)
    }
}
