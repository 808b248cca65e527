import Glibc
import PromoSystem

/// A lock on a file, which other processes cannot take while this object is referenced.
package final class LockFile: Sendable {
    /// Why a lock was not taken.
    package enum Refusal: Error, Equatable, Sendable {
        case held
        case system(SystemError)
    }

    let descriptor: Int32
    private let path: String

    private init(descriptor: Int32, path: String) {
        (self.descriptor, self.path) = (descriptor, path)
    }

    /// Whether the file is still at its path, so that no other process can take a lock there.
    var isInPlace: Bool {
        guard let held = stat(of: descriptor), let found = stat(of: path) else { return false }
        return held.st_dev == found.st_dev && held.st_ino == found.st_ino
    }

    deinit {
        close(descriptor)
    }

    /// Takes the lock if it is free.
    /// - Parameter mode: that of the file if it is made. By default nobody can open it for reading, so that a sandbox with a read-only
    ///   directory cannot take the lock.
    package static func take(_ path: String, mode: UInt32 = 0o200) throws(Refusal) -> LockFile {
        let descriptor = FileSystem.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode: mode)
        guard descriptor >= 0 else {
            // A pipe without a reader has no device for the kernel.
            throw .system(SystemError("open", path, number: errno == ENXIO ? SystemError.notRegular : errno))
        }
        guard let status = stat(of: descriptor), status.kind == S_IFREG else {
            close(descriptor)
            throw .system(SystemError("lock", path, number: SystemError.notRegular))
        }
        // A file with a second name must keep its contents and its mode.
        guard status.st_nlink <= 1 else {
            close(descriptor)
            throw .system(SystemError("lock", path, number: EMLINK))
        }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let error: Refusal = errno == EWOULDBLOCK ? .held : .system(SystemError("lock", path))
            close(descriptor)
            throw error
        }
        let lock = LockFile(descriptor: descriptor, path: path)
        // The file may have been removed meanwhile, and another process may hold the lock of a new one.
        return lock.isInPlace ? lock : try take(path, mode: mode)
    }

    /// Takes the lock of a name in a directory, which is made if it is missing.
    static func take(_ name: String, in directory: PrivateDirectory) throws(Refusal) -> LockFile {
        do throws(SystemError) { try directory.create() } catch { throw .system(error) }
        return try take(directory.path(of: name))
    }
}
