import Glibc
import PromoProcess

/// promod's own directory for its socket, which another program may have made first, with a mode of its choice. systemd does not
/// change it either: `DirectoryMode=` is only for what the socket unit makes itself.
enum SocketDirectory {
    /// Takes all access to the directory from other users. A directory of another user and a link stay as they are.
    /// - Returns: the mode before; nil if nothing was changed.
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
