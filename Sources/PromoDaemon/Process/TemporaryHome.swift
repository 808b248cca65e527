import Glibc
import PromoSystem

/// The home of a promod beside the person's: a directory for its socket, cache and state, which is removed when the process exits.
package enum TemporaryHome {
    /// The directory; nil if it cannot be made. In /tmp, because the path of a socket must be short.
    private static let directory: String? = {
        var path = Array("/tmp/promod-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&path) != nil else { return nil }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }()

    /// The variables that lead to promod's directories, and to those where it looks for drop-ins.
    private static let variables = [
        "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME",
        "XDG_DATA_DIRS", "FLATPAK_USER_DIR", "FLATPAK_SYSTEM_DIR",
    ]

    /// Moves this process there by its environment. Call this before anything reads that, and before there is a second thread.
    package static func enter() throws(StartFailure) {
        guard let directory else { throw StartFailure(.osError, "\(SystemError("make a directory in", "/tmp"))") }
        // Not atexit(3), which is not in the shared C library.
        _ = unsafe on_exit(
            { _, _ in if let directory = TemporaryHome.directory { TemporaryHome.remove(directory) } }, nil)
        // The C library copies the texts.
        for name in variables { unsafe setenv(name, directory, 1) }
        // That of another promod, as one that has ended and whose line a shell has read.
        unsafe unsetenv("PROMOD_SOCKET")
    }

    private static func remove(_ path: String) {
        guard FileSystem.unlink(path) != 0, errno == EISDIR else { return }
        for name in (try? DirectoryReader.names(in: path, maximum: .max)) ?? [] { remove(path + "/" + name) }
        FileSystem.removeDirectory(path)
    }
}
