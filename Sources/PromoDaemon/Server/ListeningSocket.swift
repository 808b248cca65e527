import Glibc
import PromoSystem
import PromoWire

/// A listening socket that the daemon bound itself, with a lock file beside it against a second daemon.
package final class ListeningSocket: Sendable {
    /// Why the socket was not bound.
    package enum Failure: Error, Equatable, Sendable {
        /// Another process listens there, or holds the lock; with its pid if that is known.
        case taken(pid: Int?)
        case system(SystemError)
    }

    /// The bound descriptor, which the server closes.
    package let descriptor: Int32
    private let path: String
    private let lock: LockFile
    /// The number of attempts while the owner of the socket or of the lock may be gone: for a second.
    private static let maximumAttempts = 50

    private init(descriptor: Int32, path: String, lock: LockFile) {
        self.descriptor = descriptor
        self.path = path
        self.lock = lock
    }

    /// Binds the path, with mode 0600 in a directory with mode 0700, and replaces a socket on which no process listens.
    /// - Parameter pause: called between two attempts.
    package static func bind(
        _ path: String, pause: () -> Void = { usleep(20_000) }
    ) throws(Failure) -> ListeningSocket {
        var attempts = 1
        while true {
            // Connect before taking the lock: under systemd, no process holds it while the daemon is not running, and a connect starts it.
            let owner = liveOwner(path)
            do throws(SystemError) {
                if owner == nil, let lock = try takeLock(path + ".lock") {
                    return ListeningSocket(descriptor: try bindSocket(path), path: path, lock: lock)
                }
            } catch {
                throw .system(error)
            }
            // A daemon that was killed while it started a fetch leaves its socket and its lock to the child until the child's exec.
            let isGone = owner.map { $0 != 0 && stat(ofLink: "/proc/\($0)") == nil } ?? true
            guard isGone, attempts < maximumAttempts else { throw .taken(pid: owner == 0 ? nil : owner) }
            attempts += 1
            pause()
        }
    }

    /// Takes the lock, in a directory that is made if it is missing and its path is absolute; nil if another process holds it.
    private static func takeLock(_ path: String) throws(SystemError) -> LockFile? {
        if path.hasPrefix("/") { try PrivateDirectory(path: path.directory).create() }
        do throws(LockFile.Refusal) {
            return try LockFile.take(path, isSecret: true)
        } catch {
            switch error {
            case .held: return nil
            case .system(let error): throw error
            }
        }
    }

    /// Removes the socket, which is this daemon's, because the lock is held until the process ends.
    package func remove() {
        FileSystem.unlink(path)
    }

    private static func bindSocket(_ path: String) throws(SystemError) -> Int32 {
        if unlinkSocket(path) != 0 && errno != ENOENT {
            throw SystemError(errno == EEXIST ? "listen on, because it is not a socket," : "replace", path)
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("make a socket for", path) }
        // The mode is set by the bind itself, so that other users can never connect.
        let mask = umask(0o177)
        defer { umask(mask) }
        let result = UnixAddress.bind(descriptor, to: path)
        guard result == 0 else {
            let error = SystemError("listen on", path)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Removes a socket, but no file of another kind.
    private static func unlinkSocket(_ path: String) -> Int32 {
        guard let status = stat(ofLink: path) else { return -1 }
        guard status.kind == S_IFSOCK else {
            errno = EEXIST
            return -1
        }
        return FileSystem.unlink(path)
    }

    /// The pid of the process that listens there, or 0 if the pid is unknown; nil if no process listens.
    private static func liveOwner(_ path: String) -> Int? {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard UnixAddress.connect(descriptor, to: path) == 0 else {
            // If the backlog is full, a process listens but is too busy to accept.
            return errno == EAGAIN ? 0 : nil
        }
        return PeerCredentials(of: descriptor)?.pid ?? 0
    }
}
