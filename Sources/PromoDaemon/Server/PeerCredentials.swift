import CLinux
import Glibc

/// Who is at the other end of a Unix-domain socket, by the kernel's word.
enum PeerCredentials {
    /// The uid of the peer at the time when it connected; nil if the kernel does not tell.
    static func userID(of descriptor: Int32) -> uid_t? {
        credentials(of: descriptor)?.uid
    }

    /// The pid of whoever listens at the other end; nil if the kernel does not tell.
    static func pid(of descriptor: Int32) -> Int? {
        credentials(of: descriptor).flatMap { $0.pid > 0 ? Int($0.pid) : nil }
    }

    private static func credentials(of descriptor: Int32) -> promod_credentials? {
        var credentials = promod_credentials()
        var length = socklen_t(MemoryLayout<promod_credentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        return credentials
    }
}
