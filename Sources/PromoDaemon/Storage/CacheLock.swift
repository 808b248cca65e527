/// The lock on the cache, which only one process may write at a time.
enum CacheLock: Sendable {
    case taken(LockFile)
    /// Another promod holds the lock.
    case held(LockFile.Held)
    /// The lock cannot be taken, for this reason, so another promod may write the cache too.
    case unavailable(String)

    /// Takes the lock of a cache directory; makes the directory if it is missing.
    static func take(in cache: PrivateDirectory) -> CacheLock {
        do {
            try cache.create()
            return .taken(try LockFile.take(path(in: cache)))
        } catch LockFile.Failure.held(let held) {
            return .held(held)
        } catch LockFile.Failure.system(let error) {
            return .unavailable(error.description)
        } catch {
            return .unavailable("\(error)")
        }
    }

    /// Takes the lock; blocks the thread until its holder releases it.
    static func wait(in cache: PrivateDirectory) throws(LockFile.Failure) -> LockFile {
        try LockFile.wait(path(in: cache))
    }

    /// A message in one line that names the holder and the remedies.
    static func message(_ held: LockFile.Held) -> String {
        let pid = held.pid.map { " (pid \($0))" } ?? ""
        return "another promod\(pid) holds the cache \(held.path); stop it, or set XDG_CACHE_HOME"
    }

    private static func path(in cache: PrivateDirectory) -> String { cache.path(of: "lock") }
}
