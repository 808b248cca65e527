import Glibc
import PromoProcess

/// A lock that one process holds while it lives. The file contains its pid, for others to report.
package final class LockFile: Sendable {
    /// Who holds a lock.
    package struct Held: Error, Equatable, Sendable {
        package let path: String
        /// nil if the holder has not written it yet.
        package let pid: Int?
    }

    /// Why a lock was not taken.
    package enum Failure: Error, Equatable, Sendable {
        case held(Held)
        case system(SystemError)
    }

    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Takes the lock, or throws who holds it.
    /// - Parameter isSecret: whether nobody may open the file for reading, not even its owner: then a sandbox in which the directory is
    ///   read-only cannot take the lock. The holder's pid cannot be read either.
    package static func take(_ path: String, isSecret: Bool = false) throws(Failure) -> LockFile {
        try take(path, flags: LOCK_EX | LOCK_NB, isSecret: isSecret)
    }

    /// Takes the lock; blocks the thread until its holder releases it.
    package static func wait(_ path: String) throws(Failure) -> LockFile {
        try take(path, flags: LOCK_EX, isSecret: false)
    }

    private static func take(_ path: String, flags: Int32, isSecret: Bool) throws(Failure) -> LockFile {
        let descriptor = FileSystem.open(
            path, (isSecret ? O_WRONLY : O_RDWR) | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
            mode: isSecret ? 0o200 : 0o600)
        guard descriptor >= 0 else { throw .system(SystemError("open", path)) }
        guard let status = stat(of: descriptor), status.kind == S_IFREG else {
            close(descriptor)
            throw .system(SystemError("lock", path, number: SystemError.notRegular))
        }
        // An earlier version made it readable.
        if isSecret, status.st_mode & 0o777 != 0o200 { fchmod(descriptor, 0o200) }
        // The pid must not overwrite a file that has another name elsewhere.
        guard status.st_nlink <= 1 else {
            close(descriptor)
            throw .system(SystemError("lock", path, number: EMLINK))
        }
        while flock(descriptor, flags) != 0 {
            if errno == EINTR { continue }
            let error: Failure =
                errno == EWOULDBLOCK
                ? .held(Held(path: path, pid: holder(descriptor))) : .system(SystemError("lock", path))
            close(descriptor)
            throw error
        }
        let pid = Array("\(getpid())\n".utf8)
        // The pid is only for people, so a full disk must not keep the daemon from starting.
        if ftruncate(descriptor, 0) == 0 { Descriptor.write(pid.span, to: descriptor) }
        return LockFile(descriptor: descriptor)
    }

    private static func holder(_ descriptor: Int32) -> Int? {
        var buffer = [UInt8](repeating: 0, count: 32)
        let count = Descriptor.read(from: descriptor, into: &buffer)
        guard count > 0 else { return nil }
        return Int(String(decoding: buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
