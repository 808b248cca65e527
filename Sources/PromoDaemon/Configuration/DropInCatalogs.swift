import Glibc
package import PromoCore
import PromoSystem
import PromoWire

/// The drop-ins: the files `NAME.toml` in directories `promod/catalogs.d`, each of which configures a catalog.
package struct DropInCatalogs: Equatable, Sendable {
    /// A directory of drop-ins.
    package enum Directory: Equatable, Sendable {
        /// One of the person's or the administrator's configuration; only these may configure the default catalog.
        case configuration(String)
        case data(String)
        /// The drop-ins of a sandboxed app, which hides nothing, and is not trusted with the host's files.
        case app(String)

        package var path: String {
            switch self {
            case .configuration(let path), .data(let path): path
            case .app(let root): root + FlatpakApps.dropInDirectory
            }
        }
    }

    /// The drop-ins in the order of their directories and names, one for each name.
    package private(set) var entries: [CatalogEntry] = []
    /// The first drop-ins that configure no catalog, and the directories that cannot be read, with the reasons.
    package private(set) var ignored: [IgnoredFile] = []
    /// The directories that were read, the most important first.
    package private(set) var directories: [Directory] = []
    /// The paths of those that cannot be read.
    package private(set) var unreadable: Set<String> = []
    /// Whether something could not be read for a reason that passes unnoticed, such as a lack of descriptors.
    package private(set) var isIncomplete = false
    /// The drop-in that is used for each name.
    private var first: [String: String] = [:]
    /// The names that an empty file or a link to /dev/null hides.
    private var masked: Set<String> = []

    /// Lists at most `maximum` names in a directory; none if there is no such directory.
    package typealias ListDirectory = @Sendable (_ path: String, _ maximum: Int) throws(SystemError) -> [String]

    /// The most names that are read in a directory.
    static let maximumEntries = 4096
    /// The most drop-ins that are read.
    static let maximumFiles = 256
    /// The most drop-ins whose reasons are kept.
    package static let maximumIgnored = 32
    /// The end of a drop-in's name, and of the catalog's that may be beside it.
    static let (suffix, bundledSuffix) = (".toml", ".json")
    /// A drop-in that is a link to this hides those of its name in later directories.
    private static let nothing = "/dev/null"

    /// No drop-ins.
    package init() {}

    /// Reads the directories in order. Of drop-ins with the same name, the first is used. What was read before stays in force for a file
    /// that has broken, and for a directory that cannot be read.
    /// - Parameters:
    ///   - defaultSource: the default catalog's source on the command line; nil for that of its drop-in.
    ///   - sample: the file whose apps the sample has; nil for promod's own sample.
    package init(
        in directories: [Directory], defaultSource: CatalogSettings.Source? = nil,
        sample: String? = nil, after previous: DropInCatalogs = DropInCatalogs(),
        list: ListDirectory = DirectoryReader.names, readFile: ConfigurationLoader.ReadFile = FileReader.read
    ) {
        self.directories = directories
        for directory in directories {
            do throws(SystemError) {
                let names = try list(directory.path, Self.maximumEntries).filter {
                    $0.utf8.suffix(Self.suffix.utf8.count).elementsEqual(Self.suffix.utf8)
                        && $0.utf8.first != UInt8(ascii: ".")
                }
                for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                    let path = directory.path + "/" + name
                    if let original = Self.original(of: name), names.contains(original) {
                        ignore(IgnoredFile(file: path, error: "it seems to be a copy of \(original)", problem: nil))
                        continue
                    }
                    add(String(name.dropLast(Self.suffix.count)), path, of: directory, previous, readFile)
                }
            } catch {
                isIncomplete = isIncomplete || error.isTemporary
                unreadable.insert(directory.path)
                ignore(IgnoredFile(file: directory.path, error: error.reason, problem: .directory))
                keep(directory.path, of: previous)
            }
        }
        if let defaultSource { setDefault(defaultSource) }
        // A file beside default.toml does not change promod's own sample.
        let index = entries.firstIndex { $0.settings.source == .sample }
        guard let index else { return }
        (entries[index].bundled, entries[index].file) = (sample, sample ?? entries[index].file)
    }

    /// The drop-in whose copy a file may be, such as acme.toml of "acme (copy).toml" and acme.sync-conflict-1.toml; nil if its own name
    /// is a catalog's. Programs that synchronise directories make such copies.
    private static func original(of name: String) -> String? {
        let stem = String(name.dropLast(suffix.count))
        let beginning = String(stem.prefix { CatalogReference.isName(String($0)) })
        return beginning == stem || beginning.isEmpty ? nil : beginning + suffix
    }

    /// Gives the default catalog another source, with which it exists without a drop-in too.
    private mutating func setDefault(_ source: CatalogSettings.Source) {
        let isDefault: (CatalogEntry) -> Bool = { $0.name == CatalogReference.defaultName }
        if !entries.contains(where: isDefault) {
            entries.insert(CatalogEntry(name: CatalogReference.defaultName, file: nil), at: 0)
        }
        guard let index = entries.firstIndex(where: isDefault) else { return }
        // An address needs no file, so it counts beside a broken one, too.
        (entries[index].file, entries[index].fileID, entries[index].problem) = (nil, nil, nil)
        entries[index].settings.source = source
    }

    /// Keeps what came from a directory.
    private mutating func keep(_ directory: String, of previous: DropInCatalogs) {
        let kept = previous.first.filter { first[$0.key] == nil && $0.value.directory == directory }
        first.merge(kept) { own, _ in own }
        masked.formUnion(previous.masked.filter { kept[$0] != nil })
        entries += previous.entries.filter { kept[$0.name] != nil }
    }

    private mutating func ignore(_ file: IgnoredFile) {
        if ignored.count < Self.maximumIgnored { ignored.append(file) }
    }

    /// Whether a path leads into a directory.
    private static func isInside(_ path: String, _ directory: String) -> Bool {
        guard let file = try? String(resolving: path), let root = try? String(resolving: directory) else {
            return false
        }
        return file.hasPrefix(root + "/")
    }

    private mutating func add(
        _ name: String, _ path: String, of directory: Directory, _ previous: DropInCatalogs,
        _ readFile: ConfigurationLoader.ReadFile
    ) {
        func ignore(_ error: String, _ problem: ProblemCode? = .catalogFile) {
            let name = problem == .catalogFile ? nil : name
            self.ignore(IgnoredFile(file: path, error: error, problem: problem, catalog: name))
        }
        if let problem = CatalogReference.problem(ofName: name) { return ignore(problem) }
        if let first = first[name] {
            return ignore("\(first) \(masked.contains(name) ? "hides it" : "is used instead")", nil)
        }
        switch directory {
        case .configuration: break
        case _ where name == CatalogReference.defaultName:
            return ignore(
                "only the person's or the administrator's configuration may configure the default catalog")
        case .app(let root) where !Self.isInside(path, root): return ignore("it is a link that leads out of the app")
        case .app, .data: break
        }
        guard first.count < Self.maximumFiles else {
            return ignore("there are \(Self.maximumFiles) drop-ins already, and promod reads no more", .limit)
        }
        let old = previous.entries.first { $0.name == name }
        if let entry = read(name, path, of: directory, old, readFile) {
            first[name] = path
            entries.append(entry)
        } else if case .app = directory {
            ignore("it has no keys")
        } else {
            first[name] = path
            masked.insert(name)
            ignore("it is empty, and hides the catalog of its name", nil)
        }
    }

    /// The catalog of a drop-in, with its problem if it has one; nil if the drop-in hides the catalog of its name.
    private mutating func read(
        _ name: String, _ path: String, of directory: Directory, _ old: CatalogEntry?,
        _ readFile: ConfigurationLoader.ReadFile
    ) -> CatalogEntry? {
        if (try? String(resolving: path)) == Self.nothing { return nil }
        var entry = CatalogEntry(name: name, file: path, fileID: stat(of: path)?.fileID)
        if case .configuration = directory {} else { entry.isOfPackage = true }
        let bundled = path.dropLast(Self.suffix.count) + Self.bundledSuffix
        entry.bundled = String(bundled)
        if case .app(let root) = directory, !Self.isInside(String(bundled), root) { entry.bundled = nil }
        do {
            guard let bytes = try readFile(path, ConfigurationFile.maximumBytes) else {
                throw ConfigurationProblem(place: path, message: "it is a link to a file that does not exist")
            }
            let lines = try ConfigurationFile(bytes, path: path).entries
            if lines.isEmpty { return nil }
            entry.settings = try CatalogSettings(lines, of: name, in: directory, path: path)
        } catch let problem {
            let error = problem as? SystemError
            if error?.isTemporary == true {
                isIncomplete = true
                if let old, old.file == path { return old }
            }
            entry.problem = error.map { "\(path): \($0.reason)" } ?? "\(problem)"
            if let old { entry.settings = old.settings }
        }
        return entry
    }
}

extension CatalogSettings {
    /// The settings in a drop-in.
    /// - Throws: ``BadConfiguration`` with every problem.
    fileprivate init(
        _ lines: [ConfigurationFile.Entry], of name: String, in directory: DropInCatalogs.Directory, path: String
    ) throws(BadConfiguration) {
        self.init()
        var bad = BadConfiguration()
        var places: [String: String] = [:]
        let isApps = if case .app = directory { true } else { false }
        for line in lines {
            let place = "\(path):\(line.line)"
            guard let key = ConfigurationKeys.catalog.first(where: { $0.name == line.name }) else {
                let names = ConfigurationKeys.catalog.map(\.name)
                bad.addUnknown(
                    line.name, at: place, of: "a catalog", among: names, within: 2,
                    "its keys are \(names.joined(separator: ", "))")
                continue
            }
            places[key.name] = place
            if isApps && key.name == "ca-file" {
                bad.add(at: place, "a sandboxed app cannot set ca-file, which is a path of the host")
            } else if !key.set(line.value, &self) {
                bad.add(at: place, "\(key.name) takes \(key.refusal(line.value))")
            }
        }
        if places["url"] == nil { bad.add(at: path, "url, the https address of the catalog, is missing") }
        if source == .sample, name != CatalogReference.defaultName {
            bad.add(at: places["url"] ?? path, "only default.toml can have the sample as its url")
        }
        if !bad.problems.isEmpty { throw bad }
    }
}

/// The installed Flatpak apps, which may have drop-ins among their own files, because Flatpak does not export them.
struct FlatpakApps: Sendable {
    /// The directory of drop-ins in the files of an app.
    static let dropInDirectory = "/share/promod/catalogs.d"
    /// The most apps of an installation that are searched.
    private static let maximumApps = 4096

    /// The directories of the installations, the most important first.
    let installations: [String]

    /// The file of each installation that Flatpak replaces after every change.
    var marks: [String] { installations.map { $0 + "/.changed" } }

    /// The directories of the apps that have drop-ins, in the order of installation and id.
    /// - Parameter previous: those that were read before, which stay while an installation cannot be read.
    func directories(
        _ list: DropInCatalogs.ListDirectory, after previous: [DropInCatalogs.Directory] = []
    ) -> [DropInCatalogs.Directory] {
        installations.flatMap { installation in
            guard let apps = try? list(installation + "/app", Self.maximumApps) else {
                return previous.filter { $0.path.hasPrefix(installation + "/app/") }
            }
            return apps.sorted().map { "\(installation)/app/\($0)/current/active/files" }.filter {
                stat(of: $0 + Self.dropInDirectory)?.kind == S_IFDIR
            }.map(DropInCatalogs.Directory.app)
        }
    }
}
