import PromoWire

/// The lock on the cache, which only one process may write at a time.
enum CacheLock: Sendable {
    case taken(LockFile)
    case held(LockFile.Held)
    /// The lock cannot be taken, for this reason, so another promod may write the cache too.
    case unavailable(String)

    /// Takes the lock of a cache directory; makes the directory if it is missing.
    static func take(in cache: PrivateDirectory) -> CacheLock {
        do {
            try cache.create()
            return .taken(try LockFile.take(path(in: cache)))
        } catch LockFile.Refusal.held(let held) {
            return .held(held)
        } catch LockFile.Refusal.system(let error) {
            return .unavailable(error.description)
        } catch {
            return .unavailable("\(error)")
        }
    }

    /// Takes the lock; blocks the thread until its holder releases it.
    static func wait(in cache: PrivateDirectory) throws -> LockFile {
        try cache.create()
        return try LockFile.wait(path(in: cache))
    }

    /// The promod that holds the lock by now; nil if the lock does not say.
    static func owner(in cache: PrivateDirectory) -> CacheOwner? {
        let text = (try? FileReader.read(path(in: cache), maximumBytes: CacheOwner.maximumText)) ?? nil
        return text.map { CacheOwner(lockText: $0) }.flatMap { $0.pid == nil ? nil : $0 }
    }

    /// A message in one line that names the holder and the remedies. A process of another machine cannot be stopped from here.
    static func message(_ held: LockFile.Held) -> String {
        let remedy = held.owner.isHere ? "stop it, or set XDG_CACHE_HOME" : "set XDG_CACHE_HOME to use another one"
        return "\(held.owner) keeps the cache \(held.path); \(remedy)"
    }

    private static func path(in cache: PrivateDirectory) -> String { cache.path(of: "lock") }
}
