import Glibc
import PromoSystem

/// promod's own directory for its socket. If another program made it first, the mode is that program's choice, which systemd does not
/// change: `DirectoryMode=` applies only to what the socket unit makes itself.
enum SocketDirectory {
    /// Denies other users all access to the directory. A directory of another user and a link stay as they are.
    /// - Returns: the previous mode; nil if nothing was changed.
    static func tighten(_ path: String) -> mode_t? {
        let descriptor = FileSystem.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let status = stat(of: descriptor), status.st_uid == getuid(), status.st_mode & 0o077 != 0,
            fchmod(descriptor, 0o700) == 0
        else { return nil }
        return status.st_mode & 0o777
    }
}
