import Glibc
import PromoCore
import PromoProcess
import PromoWire

/// The caches of the catalogs: that of the default one in the directory itself, those of others in directories of their names below it.
///
/// A cache that has not been configured for 30 days is removed; a file in it holds the time since when.
struct CatalogCaches {
    /// How long the cache of a catalog is kept that nobody configures any more.
    static let retention = Duration.seconds(30 * 24 * 3600)
    private static let mark = "unconfigured"
    private static let maximumEntries = 4096
    /// What promod writes into a cache; nothing else in it is ever removed. The mark is last, so that a removal that was interrupted
    /// goes on next time.
    private static let files = [
        "catalog", "catalog.damaged", "schedule.json", mark,
    ]

    /// The cache of the default catalog.
    private let root: PrivateDirectory
    /// The directory with one cache for each catalog besides the default one.
    private let directory: String

    init(in root: PrivateDirectory) {
        self.root = root
        directory = root.path(of: "catalogs")
    }

    func cache(of name: String) -> PrivateDirectory {
        name == CatalogReference.defaultName ? root : PrivateDirectory(path: directory + "/" + name)
    }

    /// What becomes of a cache.
    enum Fate: Equatable {
        case stays
        /// It is marked with the current time.
        case isMarked
        case isRemoved
    }

    /// The fate of a cache that is not configured, by the time with which it was marked; nil if it has no mark that can be read.
    static func fate(markedAt time: Timestamp?, now: Timestamp) -> Fate {
        // A mark from the future would keep the cache for too long.
        guard let time, time <= now else { return .isMarked }
        return now - time >= retention ? .isRemoved : .stays
    }

    /// The names of the catalogs that have a cache. A link is no cache: what it leads to belongs to somebody else.
    var names: [String] {
        guard Self.isDirectory(directory) else { return [] }
        let names = (try? DirectoryReader.names(in: directory, maximum: Self.maximumEntries)) ?? []
        return names.filter { CatalogReference.isName($0) && Self.isDirectory(directory + "/" + $0) }.sorted()
    }

    /// The names of the catalogs that have a cache and were configured when it was last looked.
    var inUse: Set<String> {
        Set(names.filter { !isMarked($0) })
    }

    /// Whether the catalog of a name was not configured when it was last looked.
    func isMarked(_ name: String) -> Bool { stat(of: cache(of: name).path(of: Self.mark)) != nil }

    /// The latest plan for an address, under whichever name it was asked; nil if it never was.
    func schedule(of url: HTTPSURL) -> RefreshSchedule? {
        let all = ([CatalogReference.defaultName] + names).flatMap {
            schedules(in: cache(of: $0))
        }
        return all.filter { $0.url == url.normalized && $0.lastAttemptAt != nil }.max { $0.isOlder(than: $1) }
    }

    private func schedules(in cache: PrivateDirectory) -> [RefreshSchedule] {
        (try? StoredFile.schedules(in: cache).read())?.schedules ?? []
    }

    /// The catalog of an address that was kept under another name.
    func catalog(of url: HTTPSURL, besides name: String) -> CatalogContents? {
        for other in [CatalogReference.defaultName] + names where other != name {
            let file = CatalogFile(directory: cache(of: other))
            guard file.address?.requestText == url.requestText,
                case .contents(var contents) = file.read(setsAside: false)
            else { continue }
            contents.header.url = url.normalized
            return contents
        }
        return nil
    }

    /// The addresses that a name's catalog had, the last one first.
    func addresses(of name: String) -> [String] {
        let cache = cache(of: name)
        let urls = schedules(in: cache).compactMap(\.url).compactMap(HTTPSURL.init)
        return (urls + [CatalogFile(directory: cache).address].compactMap(\.self)).map(\.requestText)
    }

    /// The addresses that the catalogs of all names had, the last one first.
    var addresses: [String: [String]] {
        let all = ([CatalogReference.defaultName] + names).map { ($0, addresses(of: $0)) }
        return Dictionary(all) { first, _ in first }
    }

    /// The names in ``inUse``, with the addresses that they had last; empty if that is not known.
    /// - Parameter known: the addresses of some of them.
    func addressesInUse(_ known: [String: String] = [:]) -> [String: String] {
        let all = inUse.map { ($0, known[$0] ?? addresses(of: $0).first ?? "") }
        return Dictionary(all) { first, _ in first }
    }

    private static func isDirectory(_ path: String) -> Bool { stat(ofLink: path)?.kind == S_IFDIR }

    /// Marks caches that are not configured, removes the mark from those that are again, and removes those whose time is over.
    func tend(configured: Set<String>, now: Timestamp) {
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

    /// Removes a cache, unless there is something in it that is not promod's.
    private static func remove(_ cache: PrivateDirectory) {
        _ = try? IconStore(cache: cache).clear()
        for name in files {
            FileSystem.unlink(cache.path(of: ".\(name).new"))
            FileSystem.unlink(cache.path(of: name))
        }
        FileSystem.removeDirectory(cache.path)
    }
}
