package import Glibc

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
