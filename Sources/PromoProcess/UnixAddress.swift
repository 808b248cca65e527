import Glibc

/// The system calls that take the address of a Unix-domain socket. Each returns 0, or -1 with the reason in `errno`.
package enum UnixAddress {
    /// bind(2) to a path.
    package static func bind(_ descriptor: Int32, to path: String) -> Int32 {
        unsafe with(path) { unsafe Glibc.bind(descriptor, $0, $1) }
    }

    /// connect(2) to a path.
    package static func connect(_ descriptor: Int32, to path: String) -> Int32 {
        unsafe with(path) { unsafe Glibc.connect(descriptor, $0, $1) }
    }

    /// Passes the address to a system call, which reads it before it returns.
    private static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8) + [0]
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return -1
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        // Each address begins with the members of sockaddr, and the length is that of the whole.
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
