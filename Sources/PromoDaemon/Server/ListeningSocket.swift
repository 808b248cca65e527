import Glibc
import PromoWire

/// A listening socket that the daemon bound itself, with the lock beside it that keeps a second daemon off.
package final class ListeningSocket: Sendable {
    /// Why there is no socket to listen on.
    package enum Failure: Error, Equatable, Sendable {
        /// Somebody answers there, or holds the lock; the pid, where it is known.
        case taken(pid: Int?)
        case system(SystemError)
    }

    /// The bound descriptor, which whoever serves it closes.
    package let descriptor: Int32
    private let path: String
    private let lock: LockFile

    private init(descriptor: Int32, path: String, lock: LockFile) {
        self.descriptor = descriptor
        self.path = path
        self.lock = lock
    }

    /// Binds the path: mode 0600 in a directory 0700, and in place of a socket that nobody serves any more.
    package static func bind(_ path: String) throws(Failure) -> ListeningSocket {
        // A connect before the lock: under systemd nobody holds the lock while the daemon sleeps, and the connect wakes it.
        if let pid = liveOwner(path) { throw .taken(pid: pid == 0 ? nil : pid) }
        let lock: LockFile
        do {
            if let directory = directory(of: path) { try PrivateDirectory(path: directory).create() }
            lock = try LockFile.take(path + ".lock")
        } catch let error as SystemError {
            throw .system(error)
        } catch LockFile.Failure.held(let held) {
            throw .taken(pid: held.pid)
        } catch LockFile.Failure.system(let error) {
            throw .system(error)
        } catch {
            throw .system(SystemError("lock", path + ".lock", number: EIO))
        }
        do {
            return ListeningSocket(descriptor: try bindSocket(path), path: path, lock: lock)
        } catch {
            throw .system(error)
        }
    }

    /// Removes the path; no other daemon's, for the lock is held until the process ends.
    package func remove() {
        unlink(path)
    }

    private static func directory(of path: String) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    private static func bindSocket(_ path: String) throws(SystemError) -> Int32 {
        if unlinkSocket(path) != 0 && errno != ENOENT {
            throw SystemError(errno == EEXIST ? "listen on, because it is no socket," : "replace", path)
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("make a socket for", path) }
        // The mode comes with the bind, so that there is no moment in which anybody else could connect.
        let mask = umask(0o177)
        defer { umask(mask) }
        let result = withAddress(path) { Glibc.bind(descriptor, $0, $1) }
        guard result == 0 else {
            let error = SystemError("listen on", path)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Removes a socket, and nothing else that may lie there.
    private static func unlinkSocket(_ path: String) -> Int32 {
        var status = stat()
        guard lstat(path, &status) == 0 else { return -1 }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            errno = EEXIST
            return -1
        }
        return unlink(path)
    }

    /// The pid of whoever accepts connections there, 0 where it is not told; nil where nobody does.
    private static func liveOwner(_ path: String) -> Int? {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            // A full backlog is somebody's who does not get round to accepting.
            return errno == EAGAIN ? 0 : nil
        }
        return PeerCredentials.pid(of: descriptor) ?? 0
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8) + [0]
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return -1
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
