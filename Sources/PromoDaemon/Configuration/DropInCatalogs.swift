import Glibc
import PromoProcess
package import PromoWire

/// The catalogs that drop-ins configure: files `NAME.toml` in directories `promod/catalogs.d`, one file a catalog. Packages of
/// publishers install them.
package struct DropInCatalogs: Equatable, Sendable {
    /// The catalogs, also those whose files are wrong.
    package var catalogs: [NamedCatalog] = []
    /// The files that configure no catalog, and why.
    package var ignored: [IgnoredFile] = []
    /// The names that an empty file or a link to /dev/null hides.
    package private(set) var masked: Set<String> = []
    /// Whether something could not be read for a reason that passes, such as a lack of descriptors, so that what was known before is
    /// better.
    package private(set) var isIncomplete = false

    /// Lists at most `maximum` names in a directory; none if there is no such directory.
    package typealias ListDirectory = @Sendable (_ path: String, _ maximum: Int) throws(SystemError) -> [String]

    /// The most names that are read in a directory, and the most files whose refusal is reported.
    private static let (maximumEntries, maximumIgnored) = (4096, 16)
    /// The end of a drop-in's name.
    static let suffix = ".toml"
    /// A drop-in that is a link to this masks those of its name in later directories.
    private static let nothing = "/dev/null"

    /// No drop-ins.
    package init() {}

    /// Reads the directories, the most important first; of files with the same name the first counts.
    package init(in directories: [String], list: ListDirectory, readFile: ConfigurationLoader.ReadFile) {
        var seen: Set<OutsideText> = []
        for directory in directories {
            do throws(SystemError) {
                let names = try list(directory, Self.maximumEntries).filter {
                    $0.utf8.suffix(Self.suffix.utf8.count).elementsEqual(Self.suffix.utf8)
                        && $0.utf8.first != UInt8(ascii: ".")
                }
                for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) })
                where seen.insert(OutsideText(name)).inserted {
                    add(String(name.dropLast(Self.suffix.count)), directory + "/" + name, readFile)
                }
            } catch {
                note(error)
                ignore(directory, error.reason)
            }
        }
    }

    /// Whether a file hides the catalog of its name: it has no keys, or is a link to /dev/null.
    package static func isMask(_ path: String) throws(SystemError) -> Bool {
        if isLinkToNothing(path) { return true }
        guard let bytes = try FileReader.read(path, maximumBytes: ConfigurationFile.maximumBytes) else { return false }
        return (try? ConfigurationFile(bytes, path: path).entries.isEmpty) ?? false
    }

    private static func isLinkToNothing(_ path: String) -> Bool { (try? String(resolving: path)) == nothing }

    private mutating func add(_ name: String, _ path: String, _ readFile: ConfigurationLoader.ReadFile) {
        if let problem = NamedCatalog.problem(ofName: name) { return ignore(path, problem) }
        if Self.isLinkToNothing(path) {
            masked.insert(name)
            return
        }
        var catalog = NamedCatalog(name: name, file: path)
        do {
            guard let bytes = try readFile(path, ConfigurationFile.maximumBytes) else {
                throw ConfigurationProblem(place: path, message: "it is a link to a file that does not exist")
            }
            let entries = try ConfigurationFile(bytes, path: path).entries
            // An empty file masks, too.
            if entries.isEmpty {
                masked.insert(name)
                return
            }
            if let table = entries.first(where: { Self.isTable($0.name) }) {
                throw ConfigurationProblem(
                    place: "\(path):\(table.line)",
                    message: "a file of one catalog has no table: its keys stand alone, as in url = \"https://…\"")
            }
            var problems: [ConfigurationProblem] = []
            for entry in entries {
                do throws(ConfigurationProblem) {
                    try catalog.set(entry.name, to: entry.value, table: "", place: "\(path):\(entry.line)")
                } catch {
                    problems.append(error)
                }
            }
            problems += catalog.problems(table: "", readFile)
            if !problems.isEmpty { catalog.problem = Self.text(of: problems) }
        } catch let problem as ConfigurationProblem {
            catalog.problem = "\(problem)"
        } catch {
            if let error = error as? SystemError { note(error) }
            catalog.problem = "\(path): \((error as? SystemError)?.reason ?? "\(error)")"
        }
        catalogs.append(catalog)
    }

    private static func isTable(_ name: String) -> Bool {
        name.hasPrefix("catalog.") || name.hasPrefix("catalogs.") || name == "catalog" || name == "catalogs"
    }

    private mutating func note(_ error: SystemError) {
        if [EMFILE, ENFILE, ENOMEM, EIO].contains(error.number) { isIncomplete = true }
    }

    private mutating func ignore(_ path: String, _ reason: String) {
        if ignored.count < Self.maximumIgnored {
            ignored.append(IgnoredFile(file: path.printable, error: reason.printable + "."))
        }
    }

    private static func text(of problems: [ConfigurationProblem]) -> String {
        BadConfiguration(
            problems: Array(problems.prefix(BadConfiguration.maximumProblems)),
            others: max(0, problems.count - BadConfiguration.maximumProblems)
        ).description
    }

    /// All catalogs besides the default one, by name: those of the configuration file, and the drop-ins of other names, as many as
    /// are allowed.
    package func added(to tables: [NamedCatalog]) -> (catalogs: [NamedCatalog], ignored: [IgnoredFile]) {
        var (all, refused) = (tables, self)
        for catalog in catalogs {
            if let table = tables.first(where: { $0.name == catalog.name }) {
                refused.ignore(catalog.file, "[catalogs.\(catalog.name)] of \(table.file) counts instead")
            } else if all.count + 1 >= NamedCatalog.maximumCount {
                refused.ignore(
                    catalog.file, "there are \(NamedCatalog.maximumCount) catalogs already, and promod keeps no more")
            } else {
                all.append(catalog)
            }
        }
        return (all.sorted { $0.name < $1.name }, refused.ignored)
    }
}
