import CSystemd
import Glibc
import Logging
import PromoSystem
import PromoWire
import Synchronization

/// The listening socket of this process: inherited from systemd, else bound and removed by the process itself, which holds a lock
/// beside it against a second promod.
final class ServedSocket: Sendable {
    /// The address to which clients connect.
    let path: String
    private let inherited: Int32?
    /// promod's own directory if the socket is in it; nil if `PROMOD_SOCKET` names another one.
    private let ownDirectory: String?
    /// How long a lock is waited for that a promod holds that ends, and listens no more.
    private let patience: Milliseconds
    /// What is bound until the process ends; nil before, and for an inherited socket.
    private let bound = Mutex<Bound?>(nil)

    private struct Bound {
        let lock: LockFile
        /// The device and the number of the socket's file.
        let fileID: String?
        /// Whether the file is not at its path, but beside it.
        var isAside = false
    }

    /// A socket that is not bound yet.
    init(path: String, inherited: Int32? = nil, ownDirectory: String? = nil, patience: Milliseconds = 0) {
        (self.path, self.inherited, self.ownDirectory, self.patience) = (path, inherited, ownDirectory, patience)
    }

    /// The socket that the environment specifies.
    convenience init(_ environment: [String: String], patience: Milliseconds = 0) throws(StartFailure) {
        let inherited = try InheritedSocket.take()
        do {
            let path = try SocketPath.resolve(
                environment: environment, userID: getuid(), isDirectory: FileSystem.isDirectory)
            let own = SocketPath.ownDirectory(
                environment: environment, userID: getuid(), isDirectory: FileSystem.isDirectory)
            self.init(
                path: path, inherited: inherited, ownDirectory: path == own + "/promod.sock" ? own : nil,
                patience: patience)
        } catch {
            throw StartFailure(.configuration, error.description)
        }
    }

    /// Whether the process was started by socket activation.
    var isInherited: Bool { inherited != nil }

    /// Denies other users all access to promod's own directory, and to a runtime directory in which they may write. If another program made
    /// promod's first, the mode is that program's choice, which systemd does not change: `DirectoryMode=` applies only to what the socket
    /// unit makes itself. A directory of another user and a link stay as they are.
    func tightenDirectory(_ logger: Logger) {
        guard let ownDirectory else { return }
        for (directory, denied) in [(ownDirectory.directory, 0o022 as mode_t), (ownDirectory, 0o077)] {
            let descriptor = FileSystem.open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard let status = stat(of: descriptor), status.st_uid == getuid(), status.st_mode & denied != 0,
                fchmod(descriptor, 0o700) == 0
            else { continue }
            let mode = String(status.st_mode & 0o777, radix: 8)
            logger.log(
                .directoryTightened,
                "Other users had access to the directory \(directory) (mode 0\(mode)); now it has mode 0700",
                ["directory": "\(directory)"])
        }
    }

    /// Makes the socket's directory. Its parent, which may be `/run/user/UID` or even `/run/user`, is the system's: made here, it would have
    /// another owner or mode than everybody else needs.
    private func makeDirectory() throws(StartFailure) {
        let directory = path.directory
        let advice = "set XDG_RUNTIME_DIR to your runtime directory, or PROMOD_SOCKET to a path in a directory of yours"
        if ownDirectory != nil, let owner = stat(of: directory.directory)?.st_uid, owner != getuid() {
            throw StartFailure(
                .osError, "the runtime directory \(directory.directory) belongs to the user \(owner); \(advice)")
        }
        // That of a relative path may be anywhere.
        guard path.hasPrefix("/") else { return }
        guard FileSystem.makeDirectoryIfMissing(directory) else {
            throw StartFailure(.osError, "\(SystemError("make the directory", directory)); \(advice)")
        }
    }

    /// Listens, and returns the descriptor. If none was inherited, the path is bound with mode 0600 in a directory with mode 0700, and a
    /// socket on which no process listens is replaced.
    func open() throws(StartFailure) -> Int32 {
        if !isInherited { try makeDirectory() }
        do throws(LockFile.Refusal) {
            // A stop meanwhile waits, and removes the socket.
            let descriptor = try bound.withLock { bound throws(LockFile.Refusal) in
                if let inherited { inherited } else { try bind(&bound) }
            }
            // An inherited one again, so that its clients see the pid of this process.
            guard listen(descriptor, SOMAXCONN) == 0 else { throw .system(SystemError("listen on", path)) }
            return descriptor
        } catch {
            switch error {
            case .held: throw taken()
            case .system(let error): throw StartFailure(.osError, error.description)
            }
        }
    }

    // MARK: The file

    /// Whether the file of the socket that ``open()`` bound is gone, or another one has its place.
    var isReplaced: Bool {
        bound.withLock { bound in
            guard let bound, !bound.isAside else { return false }
            return stat(ofLink: path)?.fileID != bound.fileID
        }
    }

    /// Removes the file of the socket that ``open()`` bound, but not one that has its place.
    func remove() {
        bound.withLock { bound in
            guard let bound else { return }
            if bound.isAside {
                FileSystem.unlink(aside)
            } else if stat(ofLink: path)?.fileID == bound.fileID {
                FileSystem.unlink(path)
            }
        }
    }

    /// Takes the file from its path, so that no other client finds it, until ``putBack()``.
    func putAside() {
        bound.withLock { bound in
            guard let fileID = bound?.fileID, stat(ofLink: path)?.fileID == fileID else { return }
            bound?.isAside = FileSystem.rename(path, to: aside) == 0
        }
    }

    /// Puts the file back, unless another one has its place by now.
    func putBack() {
        bound.withLock { bound in
            guard bound?.isAside == true else { return }
            // Unlike a rename, this replaces nothing.
            _ = FileSystem.link(aside, to: path)
            FileSystem.unlink(aside)
            bound?.isAside = false
        }
    }

    private var aside: String { path + ".ending" }

    /// Takes the lock. While nobody listens, it is waited for.
    private func takeLock() throws(LockFile.Refusal) -> LockFile {
        let deadline = PollLoop.clock() + patience
        while true {
            do throws(LockFile.Refusal) {
                return try LockFile.take(path + ".lock")
            } catch {
                guard error == .held, PollLoop.clock() < deadline, findOwner() == nil else { throw error }
                usleep(20_000)
            }
        }
    }

    /// Whether there is a socket at the path.
    private func hasSocket() throws(LockFile.Refusal) -> Bool {
        guard let status = stat(ofLink: path) else { return false }
        guard status.kind == S_IFSOCK else {
            throw .system(SystemError("replace", path, number: SystemError.notSocket))
        }
        return true
    }

    /// Takes the lock, and binds a new socket.
    private func bind(_ bound: inout Bound?) throws(LockFile.Refusal) -> Int32 {
        // Connect before taking the lock: under systemd, no process holds it while the daemon is not running, and a connect starts it.
        // One that was killed listens for some milliseconds, until the kernel has ended it and a child that it was starting.
        for _ in 0..<5 where findOwner() != nil { usleep(100_000) }
        if findOwner() != nil { throw .held }
        // No lock is left beside what is no socket.
        _ = try hasSocket()
        let lock = try takeLock()
        if try hasSocket(), FileSystem.unlink(path) != 0 { throw .system(SystemError("replace", path)) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(SystemError("make a socket for", path)) }
        // Linux gives the file the socket's own mode, so that other users can never connect. A change of the umask would be the process's.
        guard fchmod(descriptor, 0o600) == 0, UnixAddress.bind(descriptor, to: path) == 0 else {
            defer { close(descriptor) }
            throw .system(SystemError("listen on", path))
        }
        bound = Bound(lock: lock, fileID: stat(ofLink: path)?.fileID)
        return descriptor
    }

    /// Why the process cannot serve if another one does.
    private func taken() -> StartFailure {
        guard let owner = findOwner() else {
            return StartFailure(
                .temporaryFailure,
                "a process that does not listen holds the lock \(path).lock; end it, or set PROMOD_SOCKET to another path"
            )
        }
        let who = owner > 0 ? "another promod (pid \(owner))" : "another promod"
        return StartFailure(
            .temporaryFailure, "\(who) already serves \(path); set PROMOD_SOCKET to run a second one")
    }

    /// The pid of the process that listens there, or 0 if the pid is unknown; nil if no process listens.
    private func findOwner() -> Int? {
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

/// The listening socket that systemd passes under socket activation.
enum InheritedSocket {
    /// The first descriptor that systemd passes, by sd_listen_fds(3).
    private static let firstDescriptor: Int32 = 3

    /// The descriptor; nil if none was inherited. Call this only once, because it unsets the variables.
    /// - Throws: ``StartFailure`` if the inherited descriptors are not one socket that promod can serve.
    static func take() throws(StartFailure) -> Int32? {
        let count = promod_listen_fds()
        guard count > 0 else { return nil }
        guard count == 1 else {
            throw StartFailure(
                .configuration, "\(count) sockets were inherited, but promod serves one; check promod.socket")
        }
        guard promod_is_listening_unix_socket(firstDescriptor) > 0 else {
            throw StartFailure(
                .configuration,
                "the inherited descriptor is not a listening Unix-domain stream socket; check promod.socket")
        }
        return firstDescriptor
    }
}
