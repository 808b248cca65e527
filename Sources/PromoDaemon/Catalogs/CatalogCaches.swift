import Glibc
import PromoCore
import PromoProcess
import PromoWire

/// The caches of the catalogs. The default catalog's is the directory itself; the others have directories of their names below it.
///
/// A cache whose catalog has not been configured for 30 days is removed. A file in it has the time since when.
struct CatalogCaches {
    /// How long the cache of a catalog is kept that is no longer configured.
    static let retention = Duration.seconds(30 * 24 * 3600)
    private static let mark = "unconfigured"
    private static let maximumEntries = 4096
    /// The files that promod writes into a cache, the only ones that it removes. The mark is last, so that an interrupted removal
    /// continues the next time.
    private static let files = [
        "catalog", "catalog.damaged", "schedule.json", mark,
    ]

    /// The cache of the default catalog.
    private let root: PrivateDirectory
    /// The directory of the other catalogs' caches.
    private let directory: String

    init(in root: PrivateDirectory) {
        self.root = root
        directory = root.path(of: "catalogs")
    }

    func cache(of name: String) -> PrivateDirectory {
        name == CatalogReference.defaultName ? root : PrivateDirectory(path: directory + "/" + name)
    }

    /// What happens to a cache that is not configured.
    enum Fate: Equatable {
        case stays
        /// The cache is marked with the current time.
        case isMarked
        case isRemoved
    }

    /// The fate of a cache, by the time in its mark; nil if it has no mark that can be read.
    static func fate(markedAt time: Timestamp?, now: Timestamp) -> Fate {
        // A mark from the future would keep the cache too long.
        guard let time, time <= now else { return .isMarked }
        return now - time >= retention ? .isRemoved : .stays
    }

    /// The names of the catalogs that have a cache. A link is no cache, because its target is not promod's.
    var names: [String] {
        guard Self.isDirectory(directory) else { return [] }
        let names = (try? DirectoryReader.names(in: directory, maximum: Self.maximumEntries)) ?? []
        return names.filter { CatalogReference.isName($0) && Self.isDirectory(directory + "/" + $0) }.sorted()
    }

    private var all: [String] { [CatalogReference.defaultName] + names }

    /// Whether the catalog of a name was not configured at the last ``prune(configured:now:)``.
    func isMarked(_ name: String) -> Bool { stat(of: cache(of: name).path(of: Self.mark)) != nil }

    /// The catalog of an address in the cache of another name.
    func catalog(of url: HTTPSURL, besides name: String) -> CatalogContents? {
        for other in all where other != name {
            let file = CatalogFile(directory: cache(of: other))
            guard file.address?.requestText == url.requestText,
                case .contents(var contents) = file.read(setsAside: false)
            else { continue }
            contents.header.url = url.normalized
            return contents
        }
        return nil
    }

    /// The addresses that a name's catalog has had, the latest first.
    func addresses(of name: String) -> [String] {
        [CatalogFile(directory: cache(of: name)).address].compactMap(\.self).map(\.requestText)
    }

    /// The addresses that the catalogs of all names have had, the latest first.
    var addresses: [String: [String]] {
        Dictionary(all.map { ($0, addresses(of: $0)) }) { first, _ in first }
    }

    /// The latest addresses of the names that have a cache and were configured at the last ``prune(configured:now:)``; an address that is
    /// not known is empty.
    /// - Parameter known: the addresses of some names.
    func addressesInUse(_ known: [String: String] = [:]) -> [String: String] {
        let inUse = names.filter { !isMarked($0) }
        return Dictionary(inUse.map { ($0, known[$0] ?? addresses(of: $0).first ?? "") }) { first, _ in first }
    }

    private static func isDirectory(_ path: String) -> Bool { stat(ofLink: path)?.kind == S_IFDIR }

    /// Marks caches that are not configured, unmarks those that are again, and removes those whose retention is over.
    func prune(configured: Set<String>, now: Timestamp) {
        for name in names {
            let cache = cache(of: name)
            if configured.contains(name) {
                _ = try? cache.remove(Self.mark)
                continue
            }
            let bytes = (try? FileReader.read(cache.path(of: Self.mark), maximumBytes: 64)) ?? nil
            let text = bytes.flatMap { OutsideText($0.prefix { $0 != UInt8(ascii: "\n") }).ascii(upTo: 64) }
            switch Self.fate(markedAt: text.flatMap(Timestamp.init(rfc3339:)), now: now) {
            case .stays: break
            case .isMarked: _ = try? cache.replace(Self.mark, with: [Array("\(now.rfc3339)\n".utf8)])
            case .isRemoved: Self.remove(cache)
            }
        }
    }

    /// Removes promod's files from a cache, and its directory if nothing else is in it.
    private static func remove(_ cache: PrivateDirectory) {
        _ = try? IconStore(cache: cache).clear()
        for name in files {
            FileSystem.unlink(cache.path(of: ".\(name).new"))
            FileSystem.unlink(cache.path(of: name))
        }
        FileSystem.removeDirectory(cache.path)
    }
}
