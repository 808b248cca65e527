import Glibc
import PromoCore
import PromoSystem
import PromoWire

/// The caches of the catalogs, each in a directory that is named by a digest of its address.
///
/// A cache that no drop-in names is removed 30 days after it was last written.
struct CatalogCaches {
    /// How long the cache of a catalog is kept that no drop-in names.
    static let retention = Duration.seconds(30 * 24 * 3600)
    private static let maximumEntries = 4096
    /// The files that promod writes into a cache, the only ones that it removes.
    private static let files = ["catalog", "catalog.damaged", "schedule.json"]

    private let directory: String

    init(in root: PrivateDirectory) {
        directory = root.path(of: "catalogs")
    }

    func cache(of digest: String) -> PrivateDirectory { PrivateDirectory(path: directory + "/" + digest) }

    /// The digests of the catalogs that have a cache. A link does not count, because its target is not promod's.
    var digests: [String] {
        guard Self.status(directory) != nil else { return [] }
        let names = (try? DirectoryReader.names(in: directory, maximum: Self.maximumEntries)) ?? []
        return names.filter { Digest.isDigits($0) && Self.status(directory + "/" + $0) != nil }.sorted()
    }

    /// The status of a directory; nil for anything else.
    private static func status(_ path: String) -> stat? { stat(ofLink: path).flatMap { $0.kind == S_IFDIR ? $0 : nil } }

    /// Removes the caches of catalogs that no drop-in names and whose retention is over. A time in the future does not extend it.
    func prune(besides named: Set<String>, now: Timestamp) {
        for digest in digests where !named.contains(digest) {
            guard let writtenAt = Self.status(directory + "/" + digest)?.modifiedAt else { continue }
            let age = now - Timestamp(seconds: Int64(writtenAt))
            if age >= Self.retention || age <= .zero - Self.retention { Self.remove(cache(of: digest)) }
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
