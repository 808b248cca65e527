import Glibc
import PromoProcess
package import PromoWire

/// A lock that a process holds until it ends. The file contains its process id and the name of its machine, for other processes to
/// report.
package final class LockFile: Sendable {
    /// The holder of a lock.
    package struct Holder: Equatable, Sendable {
        package let path: String
        package let owner: CacheOwner
    }

    /// Why a lock was not taken.
    package enum Refusal: Error, Equatable, Sendable {
        case held(Holder)
        case system(SystemError)
    }

    private let descriptor: Int32
    private let path: String

    private init(descriptor: Int32, path: String) {
        (self.descriptor, self.path) = (descriptor, path)
    }

    /// Whether the file is still at its path, so that no other process can take a lock there.
    var isInPlace: Bool {
        guard let held = stat(of: descriptor), let found = stat(of: path) else { return false }
        return held.st_dev == found.st_dev && held.st_ino == found.st_ino
    }

    /// Lets other processes take the lock while this object is still referenced.
    func release() {
        flock(descriptor, LOCK_UN)
    }

    deinit {
        close(descriptor)
    }

    /// Takes the lock, or throws its holder.
    /// - Parameter isSecret: whether the file cannot be opened for reading, even by its owner, so that a sandbox with a read-only
    ///   directory cannot take the lock. Its holder cannot be read either.
    package static func take(_ path: String, isSecret: Bool = false) throws(Refusal) -> LockFile {
        try take(path, flags: LOCK_EX | LOCK_NB, isSecret: isSecret)
    }

    /// Takes the lock of a name in a directory, which is made if it is missing.
    static func take(_ name: String, in directory: PrivateDirectory) throws(Refusal) -> LockFile {
        do throws(SystemError) { try directory.create() } catch { throw .system(error) }
        return try take(directory.path(of: name))
    }

    /// Takes the lock; blocks the thread until its holder releases it.
    package static func wait(_ path: String) throws(Refusal) -> LockFile {
        try take(path, flags: LOCK_EX, isSecret: false)
    }

    private static func take(_ path: String, flags: Int32, isSecret: Bool) throws(Refusal) -> LockFile {
        let descriptor = FileSystem.open(
            path, (isSecret ? O_WRONLY : O_RDWR) | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
            mode: isSecret ? 0o200 : 0o600)
        guard descriptor >= 0 else { throw .system(SystemError("open", path)) }
        guard let status = stat(of: descriptor), status.kind == S_IFREG else {
            close(descriptor)
            throw .system(SystemError("lock", path, number: SystemError.notRegular))
        }
        // A file with a second name must keep its contents and its mode.
        guard status.st_nlink <= 1 else {
            close(descriptor)
            throw .system(SystemError("lock", path, number: EMLINK))
        }
        while flock(descriptor, flags) != 0 {
            if errno == EINTR { continue }
            let error: Refusal =
                errno == EWOULDBLOCK
                ? .held(Holder(path: path, owner: owner(descriptor))) : .system(SystemError("lock", path))
            close(descriptor)
            throw error
        }
        let lock = LockFile(descriptor: descriptor, path: path)
        // During the wait, the file may have been removed, and another process may hold the lock of a new one.
        guard lock.isInPlace else { return try take(path, flags: flags, isSecret: isSecret) }
        let text = CacheOwner.lockText(pid: getpid())
        // The text is only for people, so a full disk must not prevent the start.
        if ftruncate(descriptor, 0) == 0 { Descriptor.write(text.span, to: descriptor) }
        return lock
    }

    private static func owner(_ descriptor: Int32) -> CacheOwner {
        var buffer = [UInt8](repeating: 0, count: CacheOwner.maximumText)
        let count = Descriptor.read(from: descriptor, into: &buffer)
        return CacheOwner(lockText: Array(buffer.prefix(max(count, 0))))
    }
}
