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

    /// The kind of file, for example `S_IFREG`.
    package var kind: mode_t { st_mode & S_IFMT }
}
