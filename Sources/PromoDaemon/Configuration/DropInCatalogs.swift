import Glibc
import PromoProcess
import PromoWire

/// The catalogs of drop-ins: files `NAME.toml` in directories `promod/catalogs.d`, one for each catalog, which publishers' packages
/// install.
package struct DropInCatalogs: Equatable, Sendable {
    /// The catalogs, including those whose files have problems.
    package var catalogs: [NamedCatalog] = []
    /// The files that configure no catalog, with the reasons.
    package private(set) var ignored = IgnoredFiles()
    /// The names that an empty file or a link to /dev/null hides.
    package private(set) var masked: Set<String> = []
    /// The addresses of the hidden files, by name.
    private(set) var hidden: [String: String] = [:]
    /// Whether a read failed for a temporary reason, such as a lack of descriptors, so that the previous drop-ins stay in force.
    package private(set) var isIncomplete = false

    /// Lists at most `maximum` names in a directory; none if there is no such directory.
    package typealias ListDirectory = @Sendable (_ path: String, _ maximum: Int) throws(SystemError) -> [String]

    /// The most names that are read in a directory.
    private static let maximumEntries = 4096
    /// The end of a drop-in's name.
    static let suffix = ".toml"
    /// A drop-in that is a link to this masks those of its name in later directories.
    private static let nothing = "/dev/null"

    /// No drop-ins.
    package init() {}

    /// Reads the directories, the most important first. Of files with the same name, the first counts.
    /// - Parameter apps: the directories of sandboxed apps, which are not trusted with the host's files, and count last.
    package init(
        in directories: [String], apps: [String] = [], list: ListDirectory = DirectoryReader.names,
        readFile: ConfigurationLoader.ReadFile = FileReader.read
    ) {
        var seen: [OutsideText: String] = [:]
        let all = directories.map { ($0, nil) } + apps.map { ($0 + FlatpakApps.dropInDirectory, $0) }
        for (directory, app) in all {
            do throws(SystemError) {
                let names = try list(directory, Self.maximumEntries).filter {
                    $0.utf8.suffix(Self.suffix.utf8.count).elementsEqual(Self.suffix.utf8)
                        && $0.utf8.first != UInt8(ascii: ".")
                }
                for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                    let path = directory + "/" + name
                    let first = seen[OutsideText(name)]
                    seen[OutsideText(name)] = first ?? path
                    add(String(name.dropLast(Self.suffix.count)), path, of: app, behind: first, readFile)
                }
            } catch {
                note(error)
                ignored.add(IgnoredFile(file: directory, error: error.reason))
            }
        }
    }

    /// Whether a file hides the catalog of its name: it has no keys, or is a link to /dev/null.
    package static func isMask(_ path: String) throws(SystemError) -> Bool {
        if isLinkToNothing(path) { return true }
        guard let bytes = try FileReader.read(path, maximumBytes: ConfigurationFile.maximumBytes) else { return false }
        return (try? ConfigurationFile(bytes, path: path).entries.isEmpty) ?? false
    }

    /// Whether a path leads into a directory.
    private static func isInside(_ path: String, _ directory: String) -> Bool {
        guard let file = try? String(resolving: path), let root = try? String(resolving: directory) else {
            return false
        }
        return file.hasPrefix(root + "/")
    }

    private static func isLinkToNothing(_ path: String) -> Bool { (try? String(resolving: path)) == nothing }

    /// Adds a file.
    /// - Parameters:
    ///   - app: the directory of the app that installs it; nil for a file of the host.
    ///   - first: the file of the same name in a more important directory; nil if there is none.
    private mutating func add(
        _ name: String, _ path: String, of app: String?, behind first: String?, _ readFile: ConfigurationLoader.ReadFile
    ) {
        if let problem = NamedCatalog.problem(ofName: name) {
            return ignored.add(IgnoredFile(file: path, error: problem))
        }
        if let app, !Self.isInside(path, app) {
            return ignored.add(IgnoredFile(file: path, error: "it is a link that leads out of the app"))
        }
        // A file beyond the report is only counted, and not read.
        if first != nil, ignored.isFull { return ignored.count() }
        let catalog = Self.isLinkToNothing(path) ? nil : read(name, path, readFile, isApps: app != nil)
        switch (catalog, first) {
        // An app hides nothing.
        case (nil, _) where app != nil: ignored.add(IgnoredFile(file: path, error: "it has no keys"))
        case (nil, nil): masked.insert(name)
        case (nil, _?): break
        case (let catalog?, nil): catalogs.append(catalog)
        case (let catalog?, let first?):
            let isHidden = masked.contains(name)
            if isHidden, hidden[name] == nil { hidden[name] = catalog.configuration.url?.requestText }
            ignored.add(
                IgnoredFile(
                    catalog, cause: isHidden ? .hidden : .shadowed,
                    error: isHidden ? "\(first) hides it" : "\(first) counts instead"))
        }
    }

    /// The catalog of a file, with its problem if it has one; nil if the file is a mask.
    private mutating func read(
        _ name: String, _ path: String, _ readFile: ConfigurationLoader.ReadFile, isApps: Bool
    ) -> NamedCatalog? {
        var catalog = NamedCatalog(name: name, file: path)
        do {
            guard let bytes = try readFile(path, ConfigurationFile.maximumBytes) else {
                throw ConfigurationProblem(place: path, message: "it is a link to a file that does not exist")
            }
            let entries = try ConfigurationFile(bytes, path: path).entries
            // An empty file is a mask.
            if entries.isEmpty { return nil }
            if let table = entries.first(where: { Self.isTable($0.name) }) {
                throw ConfigurationProblem(
                    place: "\(path):\(table.line)",
                    message: "a file of one catalog has no table: its keys stand alone, as in url = \"https://…\"")
            }
            var bad = BadConfiguration()
            for entry in entries {
                let place = "\(path):\(entry.line)"
                if isApps && entry.name == "ca-file" {
                    bad.add(at: place, "ca-file is a path of the host, which no app chooses")
                } else {
                    catalog.set(entry.name, to: entry.value, table: "", place: place, &bad)
                }
            }
            catalog.check(table: "", readFile, &bad)
            if !bad.problems.isEmpty { catalog.problem = bad.description }
        } catch let problem as ConfigurationProblem {
            catalog.problem = "\(problem)"
        } catch {
            if let error = error as? SystemError { note(error) }
            catalog.problem = "\(path): \((error as? SystemError)?.reason ?? "\(error)")"
        }
        return catalog
    }

    private static func isTable(_ name: String) -> Bool {
        name.hasPrefix("catalog.") || name.hasPrefix("catalogs.") || name == "catalog" || name == "catalogs"
    }

    private mutating func note(_ error: SystemError) {
        if [EMFILE, ENFILE, ENOMEM, EIO].contains(error.number) { isIncomplete = true }
    }
}
