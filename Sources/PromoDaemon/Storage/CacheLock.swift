/// Who may write the cache; one process at a time.
enum CacheLock: Sendable {
    case taken(LockFile)
    /// By another promod.
    case held(LockFile.Held)
    /// The disk gives no lock, for the reason that is given; what is served lives in memory.
    case unavailable(String)

    /// Takes the lock of a cache directory, which is made if it is missing.
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

    /// Takes the lock when its holder lets it go; blocks the thread until then.
    static func wait(in cache: PrivateDirectory) throws(LockFile.Failure) -> LockFile {
        try LockFile.wait(path(in: cache))
    }

    /// Who holds a cache, and what to do, in one line.
    static func message(_ held: LockFile.Held) -> String {
        let pid = held.pid.map { " (pid \($0))" } ?? ""
        return "another promod\(pid) holds the cache \(held.path); stop it, or set XDG_CACHE_HOME"
    }

    private static func path(in cache: PrivateDirectory) -> String { cache.path(of: "lock") }
}
