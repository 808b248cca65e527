import PromoWire

/// The lock on the cache, which only one process may write at a time.
enum CacheLock: Sendable {
    case taken(LockFile)
    case held(LockFile.Holder)
    /// The lock cannot be taken for this reason, so another promod may write the cache too.
    case unavailable(String)

    /// Takes the lock of a cache directory; makes the directory if it is missing.
    static func take(in cache: PrivateDirectory) -> CacheLock {
        do throws(LockFile.Refusal) {
            return .taken(try LockFile.take(name, in: cache))
        } catch {
            switch error {
            case .held(let holder): return .held(holder)
            case .system(let error): return .unavailable(error.description)
            }
        }
    }

    /// Takes the lock; blocks the thread until its holder releases it.
    static func wait(in cache: PrivateDirectory) throws -> LockFile {
        try cache.create()
        return try LockFile.wait(path(in: cache))
    }

    /// The promod that holds the lock now; nil if the lock does not name it.
    static func owner(in cache: PrivateDirectory) -> CacheOwner? {
        let text = (try? FileReader.read(path(in: cache), maximumBytes: CacheOwner.maximumText)) ?? nil
        return text.map { CacheOwner(lockText: $0) }.flatMap { $0.pid == nil ? nil : $0 }
    }

    /// A message in one line that names the holder and the remedies. A process of another machine cannot be stopped from here.
    static func message(_ holder: LockFile.Holder) -> String {
        let remedy = holder.owner.isHere ? "stop it, or set XDG_CACHE_HOME" : "set XDG_CACHE_HOME to use another one"
        return "\(holder.owner) keeps the cache \(holder.path); \(remedy)"
    }

    private static let name = "lock"

    private static func path(in cache: PrivateDirectory) -> String { cache.path(of: name) }
}
