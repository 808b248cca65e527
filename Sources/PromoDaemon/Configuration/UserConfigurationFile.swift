import Glibc

/// The user's configuration file, for somebody who changes it.
package final class UserConfigurationFile: Sendable {
    /// The file itself, behind a symbolic link where its owner keeps it elsewhere.
    package let path: String
    /// What stands in it; nil where there is none.
    package let text: String?
    /// The directory, locked, so that of two who change the file one waits and sees what the other wrote.
    private let lock: Int32

    /// Reads the file at an absolute path, and makes its directory if that is missing.
    /// - Throws: ``SystemError``, and ``ConfigurationProblem`` if it is not text.
    package init(path written: String) throws {
        let directory = Self.directory(of: written)
        try PrivateDirectory(path: directory).create()
        lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw SystemError("open", directory) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw SystemError("lock", directory) }
        }
        if let resolved = realpath(written, nil) {
            defer { free(resolved) }
            guard let text = String(validatingCString: resolved) else {
                throw SystemError("follow", written, number: EILSEQ)
            }
            path = text
        } else {
            path = written
        }
        guard let bytes = try FileReader.read(path, maximumBytes: ConfigurationFile.maximumBytes) else {
            text = nil
            return
        }
        text = try ConfigurationFile.text(bytes, path)
    }

    deinit {
        if lock >= 0 { close(lock) }
    }

    /// Puts another text in its place, at once and with the file's own mode.
    package func replace(with text: String) throws(SystemError) {
        let directory = PrivateDirectory(path: Self.directory(of: path))
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var status = stat()
        let isThere = stat(path, &status) == 0
        try directory.replace(name, with: [Array(text.utf8)])
        if isThere { chmod(path, status.st_mode & 0o777) }
    }

    private static func directory(of path: String) -> String {
        "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }
}
