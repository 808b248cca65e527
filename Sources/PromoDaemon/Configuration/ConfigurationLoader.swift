import PromoCore
import PromoSystem
import PromoWire

/// Loads the configuration. The command line overrides the user's file, which overrides the system's files and the defaults. The
/// catalogs have drop-ins.
package struct ConfigurationLoader: Sendable {
    /// The place of each key's value, for people.
    package typealias Sources = [String: String]

    /// Reads a file of at most `maximumBytes`; nil if there is none.
    package typealias ReadFile = @Sendable (_ path: String, _ maximumBytes: Int) throws(SystemError) -> [UInt8]?

    /// A valid configuration, and the drop-ins.
    package struct Loaded: Equatable, Sendable {
        package var configuration: Configuration
        /// The place of each key that is set.
        package var sources: Sources = [:]
        /// The file that overrides all others; nil if there is no file.
        package var file: String?
        package var dropIns = DropInCatalogs()
    }

    private let commandLine: [String: String]
    /// The file whose apps the sample has; nil for promod's own sample.
    private let catalogFile: String?
    /// The environment, whose proxies apply to catalogs that set none.
    package let environment: [String: String]
    private let directories: Directories
    /// The path of the user's file, which need not exist.
    package let userFile: String
    private let readFile: ReadFile
    private let listDirectory: DropInCatalogs.ListDirectory

    /// A loader for a process.
    /// - Parameters:
    ///   - commandLine: values by the names of their keys.
    package init(
        commandLine: [String: String], catalogFile: String? = nil, environment: [String: String],
        directories: Directories,
        readFile: @escaping ReadFile = FileReader.read,
        listDirectory: @escaping DropInCatalogs.ListDirectory = DirectoryReader.names
    ) {
        (self.commandLine, self.catalogFile) = (commandLine, catalogFile)
        self.environment = environment
        self.directories = directories
        userFile = directories.configurationFile
        self.readFile = readFile
        self.listDirectory = listDirectory
    }

    /// The paths of the files to read; later ones override earlier ones.
    package var files: [String] {
        directories.systemConfigurationFiles.reversed() + [userFile]
    }

    /// Reads all layers, and the drop-ins.
    /// - Parameter previous: the drop-ins that were read before.
    /// - Throws: ``BadConfiguration`` with every problem of the layers; a problem in a drop-in is its own.
    package func load(after previous: DropInCatalogs = DropInCatalogs()) throws(BadConfiguration) -> Loaded {
        var assembly = ConfigurationAssembly()
        for file in files { assembly.add(file: file, readFile) }
        assembly.add(commandLine: commandLine)
        assembly.checkCertificates(readFile)
        if let catalogFile { assembly.check(catalogFile: catalogFile, readFile) }
        guard assembly.bad.problems.isEmpty else { throw assembly.bad }
        return Loaded(
            configuration: assembly.configuration, sources: assembly.sources, file: assembly.file,
            dropIns: loadDropIns(assembly.source, after: previous))
    }

    /// Reads the drop-ins, whatever is wrong in the configuration.
    package func loadDropIns(after previous: DropInCatalogs = DropInCatalogs()) -> DropInCatalogs {
        var assembly = ConfigurationAssembly()
        assembly.add(commandLine: commandLine)
        return loadDropIns(assembly.source, after: previous)
    }

    private func loadDropIns(_ source: CatalogSettings.Source?, after previous: DropInCatalogs) -> DropInCatalogs {
        DropInCatalogs(
            in: directories.dropIns + apps.directories(listDirectory, after: previous.directories),
            defaultSource: source, sample: catalogFile, after: previous, list: listDirectory, readFile: readFile)
    }

    private var apps: FlatpakApps { FlatpakApps(installations: directories.flatpakInstallations) }

    /// The directories of drop-ins, the most important first, without those of apps.
    package var dropInDirectories: [String] { directories.dropIns.map(\.path) }

    /// The paths that change when a drop-in does.
    var watchedPaths: [String] { dropInDirectories + apps.marks }
}

extension ConfigurationLoader {
    /// A loader for this process.
    /// - Throws: ``StartFailure`` if a variable that promod uses is not valid UTF-8.
    package static func ofProcess(
        commandLine: [String: String] = [:], catalogFile: String? = nil
    ) throws(StartFailure) -> ConfigurationLoader {
        let environment: [String: String]
        do { environment = try ProcessEnvironment().checked() } catch {
            throw StartFailure(.configuration, error.description)
        }
        return ConfigurationLoader(
            commandLine: commandLine, catalogFile: catalogFile, environment: environment, directories: .ofProcess)
    }
}

extension Directories {
    /// promod's directories for the user of this process.
    package static var ofProcess: Directories {
        Directories(environment: ProcessSetup.environment, home: ProcessSetup.home)
    }
}
