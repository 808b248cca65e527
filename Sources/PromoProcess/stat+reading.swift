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

    /// The kind of file, for example `S_IFREG`.
    package var kind: mode_t { st_mode & S_IFMT }
}
