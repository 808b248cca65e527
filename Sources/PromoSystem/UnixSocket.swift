package import Glibc

/// Calls with the address of a Unix-domain socket. A system call returns 0, or -1 with the reason in `errno`.
package enum UnixAddress {
    /// bind(2) to a path.
    package static func bind(_ descriptor: Int32, to path: String) -> Int32 {
        unsafe with(path) { unsafe Glibc.bind(descriptor, $0, $1) }
    }

    /// connect(2) to a path.
    package static func connect(_ descriptor: Int32, to path: String) -> Int32 {
        unsafe with(path) { unsafe Glibc.connect(descriptor, $0, $1) }
    }

    /// Whether a socket bound to a path listens, even if its file is gone; false also if the kernel's table cannot be read.
    package static func hasListener(at path: String) -> Bool {
        let descriptor = FileSystem.open("/proc/net/unix", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let table = Descriptor.readToEnd(of: descriptor, keeping: 4 << 20)
        // The columns are the address, a count, the protocol, the flags, the type, the state, the inode and the path.
        return table.split(separator: UInt8(ascii: "\n")).contains { row in
            let columns = row.split(separator: UInt8(ascii: " "), maxSplits: 7)
            return columns.count == 8 && columns[3].elementsEqual(listening.utf8)
                && columns[7].elementsEqual(path.utf8)
        }
    }

    /// The flags of a listening socket in the table, `__SO_ACCEPTCON`.
    private static let listening = "00010000"

    /// Passes the address to a system call, which does not keep it.
    private static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8) + [0]
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return -1
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        // Every address begins with the members of sockaddr, and the length is that of the whole address.
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Opens connected sockets, which are closed on exec; a pipe that Swift can open is not.
package enum SocketPair {
    /// Opens two connected sockets; -1 and -1 on failure.
    package static func open() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        // The kernel writes two descriptors.
        _ = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        return (ends[0], ends[1])
    }
}

/// The credentials of the peer of a Unix-domain socket, as the kernel reports them.
package struct PeerCredentials: Sendable {
    /// The process that connected or listens; nil if it is in another PID namespace.
    package let pid: Int?
    /// The uid of the peer when it connected or began to listen.
    package let userID: uid_t

    /// The credentials of a descriptor's peer; nil if the kernel does not report them.
    package init?(of descriptor: Int32) {
        // The kernel's struct ucred, which Swift does not import: pid, uid and gid.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
        // The kernel writes at most `length` bytes.
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        let pid = Int32(bitPattern: credentials[0])
        self.pid = pid > 0 ? Int(pid) : nil
        userID = credentials[1]
    }
}
