import Glibc
import PromoSystem

/// A directory with mode 0700 in which files are replaced atomically: a reader sees the old bytes or the new ones, even
/// after a power cut.
package struct PrivateDirectory: Sendable {
    /// Whether a change will survive a power cut.
    package enum Durability: Equatable, Sendable {
        case durable
        /// The disk did not confirm it.
        case notDurable(SystemError)

        /// Why a power cut may undo the change; nil if it cannot.
        package var problem: SystemError? {
            if case .notDurable(let error) = self { error } else { nil }
        }
    }

    package let path: String

    /// A directory that ``create()`` makes if it is missing.
    package init(path: String) {
        self.path = path
    }

    /// The path of a file in it.
    package func path(of name: String) -> String { path + "/" + name }

    /// Makes the directory and its parents if they are missing, and makes an own one usable, which it is not after a start with an odd umask.
    package func create() throws(SystemError) {
        if let missing = FileSystem.makeDirectories(path) { throw SystemError("make the directory", missing) }
        guard let status = stat(of: path), status.st_uid == getuid(), status.st_mode & 0o700 != 0o700 else { return }
        FileSystem.changeMode(of: path, to: 0o700)
    }

    /// Replaces a file: a temporary file beside it, fsync, rename, fsync of the directory.
    /// - Throws: ``SystemError``; then the old file is still there.
    @discardableResult
    package func replace(_ name: String, with bytes: some Collection<[UInt8]>) throws(SystemError) -> Durability {
        try create()
        let target = path(of: name)
        var temporary = path(of: ".\(name).new")
        let lock: LockFile?
        do throws(LockFile.Refusal) { lock = try LockFile.take(temporary, mode: 0o600) } catch {
            lock = nil
            // Another promod, perhaps on another machine with this home, writes that file. Anything else there is a trap: opening a pipe
            // would block.
            if error == .held { temporary = path(of: ".\(name).\(UInt64.random(in: 0 ... .max)).new") }
            FileSystem.unlink(temporary)
        }
        let descriptor =
            lock?.descriptor
            ?? FileSystem.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode: 0o600)
        guard descriptor >= 0 else { throw SystemError("write", temporary) }
        defer { withExtendedLifetime(lock) { if lock == nil { close(descriptor) } } }
        guard FileSystem.replace(target, with: bytes, through: temporary, descriptor) else {
            throw SystemError("write", target)
        }
        return synchronize()
    }

    /// Removes a file if it exists.
    @discardableResult
    package func remove(_ name: String) throws(SystemError) -> Durability {
        guard FileSystem.unlink(path(of: name)) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return .durable }
            throw SystemError("remove", path(of: name))
        }
        return synchronize()
    }

    /// Renames a file, replacing any file of the new name.
    @discardableResult
    package func move(_ name: String, to other: String) throws(SystemError) -> Durability {
        guard FileSystem.rename(path(of: name), to: path(of: other)) == 0 else {
            throw SystemError("rename", path(of: name))
        }
        return synchronize()
    }

    /// Waits until the disk has confirmed a rename or a removal.
    private func synchronize() -> Durability {
        let descriptor = FileSystem.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return .notDurable(SystemError("open", path)) }
        defer { close(descriptor) }
        return fsync(descriptor) == 0 ? .durable : .notDurable(SystemError("write", path))
    }
}
