import Glibc
import PromoProcess

/// The user's configuration file, locked for a change.
package final class UserConfigurationFile: Sendable {
    /// The file's path, after following symbolic links, because users may keep the file elsewhere.
    package let path: String
    /// The file's text; nil if there is no file.
    package let text: String?
    /// The locked directory. Of two processes that change the file, one waits and then reads what the other wrote.
    private let lock: Int32

    /// Locks and reads the file at an absolute path; makes its directory if it is missing.
    /// - Throws: ``SystemError``, or ``ConfigurationProblem`` if the file is not text.
    package init(path written: String) throws {
        let directory = Self.directory(of: written)
        try PrivateDirectory(path: directory).create()
        lock = FileSystem.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw SystemError("open", directory) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw SystemError("lock", directory) }
        }
        do {
            path = try String(resolving: written) ?? written
        } catch {
            throw SystemError("follow", written, number: EILSEQ)
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

    /// Replaces the text atomically, and keeps the file's mode.
    /// - Parameter isSecret: whether only the owner may read the text.
    package func replace(with text: String, isSecret: Bool) throws(SystemError) {
        let directory = PrivateDirectory(path: Self.directory(of: path))
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let status = stat(of: path)
        try directory.replace(name, with: [Array(text.utf8)])
        if let status { FileSystem.changeMode(path, to: status.st_mode & (isSecret ? 0o700 : 0o777)) }
    }

    private static func directory(of path: String) -> String {
        "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }
}
