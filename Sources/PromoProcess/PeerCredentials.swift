package import Glibc

/// The credentials of the peer of a Unix-domain socket, as the kernel reports them.
package struct PeerCredentials: Sendable {
    /// The process that connected or listens; nil if it is in another namespace.
    package let pid: Int?
    /// The uid of the peer when it connected or began to listen.
    package let userID: uid_t

    /// The credentials of a descriptor's peer; nil if the kernel does not report them.
    package init?(of descriptor: Int32) {
        // The kernel's struct ucred, which Swift does not import: the pid, the uid and the gid.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
        // The kernel writes at most `length` bytes.
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        let pid = Int32(bitPattern: credentials[0])
        self.pid = pid > 0 ? Int(pid) : nil
        userID = credentials[1]
    }
}
