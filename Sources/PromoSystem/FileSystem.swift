package import Glibc

/// The system calls that take paths. Each returns what the kernel does: -1 on failure, with the reason in `errno`.
///
/// Swift passes a path with a final NUL, and keeps it until the call returns.
package enum FileSystem {
    /// open(2).
    package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) -> Int32 {
        unsafe Glibc.open(path, flags, mode)
    }

    /// mkdir(2).
    package static func makeDirectory(_ path: String, mode: mode_t) -> Int32 {
        unsafe mkdir(path, mode)
    }

    /// chmod(2).
    @discardableResult
    package static func changeMode(of path: String, to mode: mode_t) -> Int32 {
        unsafe chmod(path, mode)
    }

    /// access(2).
    package static func access(_ path: String, _ mode: Int32) -> Int32 {
        unsafe Glibc.access(path, mode)
    }

    /// rename(2).
    package static func rename(_ path: String, to other: String) -> Int32 {
        unsafe Glibc.rename(path, other)
    }

    /// link(2), which does not follow a symbolic link.
    package static func link(_ path: String, to other: String) -> Int32 {
        unsafe Glibc.link(path, other)
    }

    /// rmdir(2).
    @discardableResult
    package static func removeDirectory(_ path: String) -> Int32 {
        unsafe rmdir(path)
    }

    /// unlink(2).
    @discardableResult
    package static func unlink(_ path: String) -> Int32 {
        unsafe Glibc.unlink(path)
    }

    /// Whether there is a directory at a path, or a link to one.
    package static func isDirectory(_ path: String) -> Bool { stat(of: path)?.kind == S_IFDIR }

    // MARK: What takes several calls

    /// Makes a directory for this user alone, whatever the umask is, if it is missing.
    /// - Returns: whether there is one now; if not, the reason is in `errno`.
    package static func makeDirectoryIfMissing(_ path: String) -> Bool {
        if makeDirectory(path, mode: 0o700) == 0 { return changeMode(of: path, to: 0o700) == 0 }
        if errno == EEXIST { return true }
        // For an existing directory in a read-only or forbidden parent, mkdir reports that before EEXIST.
        let reason = errno
        if access(path, F_OK) == 0 { return true }
        errno = reason
        return false
    }

    /// Makes a directory, and those above it, if they are missing.
    /// - Returns: the path of the first that cannot be made, with the reason in `errno`; nil if all are there.
    package static func makeDirectories(_ path: String) -> String? {
        var made = ""
        for component in path.split(separator: "/") {
            made += "/" + component
            guard makeDirectoryIfMissing(made) else { return made }
        }
        return nil
    }

    /// Fills a temporary file, and renames it to the file that it replaces: a reader sees the old bytes or the new ones, even after a power
    /// cut.
    /// - Parameters:
    ///   - descriptor: that of the temporary file, which stays open.
    ///   - mode: the mode that the file gets; nil for that of the temporary one.
    /// - Returns: false if the kernel refuses, with the reason in `errno`; then the old file is still there, and the temporary one is removed.
    package static func replace(
        _ path: String, with bytes: some Collection<[UInt8]>, through temporary: String, _ descriptor: Int32,
        mode: mode_t? = nil
    ) -> Bool {
        // A crash may have left a part of an earlier file.
        var isDone = ftruncate(descriptor, 0) == 0 && bytes.allSatisfy { Descriptor.writeAll($0, to: descriptor) }
        isDone = isDone && fsync(descriptor) == 0
        if isDone, let mode { isDone = fchmod(descriptor, mode) == 0 }
        if isDone, rename(temporary, to: path) == 0 { return true }
        let reason = errno
        unlink(temporary)
        errno = reason
        return false
    }
}

// The kernel fills in the status before a call returns. If a call fails, the status is nil and `errno` says why.

extension stat {
    /// The status of a file, after following symbolic links.
    package init?(of path: String) {
        self.init()
        guard unsafe fstatat(AT_FDCWD, path, &self, 0) == 0 else { return nil }
    }

    /// The status of a file or of a symbolic link itself.
    package init?(ofLink path: String) {
        self.init()
        guard unsafe lstat(path, &self) == 0 else { return nil }
    }

    /// The status of an open file.
    package init?(of descriptor: Int32) {
        self.init()
        guard unsafe fstat(descriptor, &self) == 0 else { return nil }
    }

    /// When the file was last written, in seconds since 1970. A release build cannot access the members of a time.
    package var modifiedAt: Int { unsafe withUnsafeBytes(of: st_mtim) { unsafe $0.load(as: Int.self) } }

    /// A value that changes whenever the file is written or replaced.
    package var version: [UInt64] {
        let changed = unsafe withUnsafeBytes(of: st_ctim) { unsafe $0.load(as: (Int, Int).self) }
        return [UInt64(st_ino), UInt64(bitPattern: Int64(changed.0)), UInt64(bitPattern: Int64(changed.1))]
    }

    /// The device and the number of the file, by which two programs know that they mean the same one.
    package var fileID: String { "\(st_dev):\(st_ino)" }

    /// The kind of file, for example `S_IFREG`.
    package var kind: mode_t { st_mode & S_IFMT }
}
