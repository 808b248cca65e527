import CLinux
import Glibc

/// The credentials of the peer of a Unix-domain socket, as the kernel reports them.
enum PeerCredentials {
    /// The uid of the peer when it connected; nil if the kernel does not report it.
    static func userID(of descriptor: Int32) -> uid_t? {
        credentials(of: descriptor)?.uid
    }

    /// The pid of the process that listens at the other end; nil if the kernel does not report it.
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
