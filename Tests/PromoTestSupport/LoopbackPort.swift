import Glibc

/// A TCP port of the loopback interface that is reserved for a test. Nothing listens on it before ``listen()``.
package final class LoopbackPort: Sendable {
    /// The port's number.
    package let number: Int
    /// A socket that is bound but does not listen, so that the kernel chooses this port for no other socket.
    private let reservation: Int32

    /// Reserves a free port.
    package init() throws {
        let socket = try Self.makeSocket(port: 0)
        reservation = socket
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        guard result == 0 else { throw TestFailure("the port has no number") }
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        close(reservation)
    }

    /// Returns a descriptor that listens on the port, which the caller has to close.
    package func listen() throws -> Int32 {
        let descriptor = try Self.makeSocket(port: number)
        guard Glibc.listen(descriptor, 128) == 0 else {
            close(descriptor)
            throw TestFailure("cannot listen on port \(number): \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    private static func makeSocket(port: Int) throws -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        var one: Int32 = 1
        // Two sockets may be bound to one port if both set this option, and one of them may listen.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = address(port: port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw TestFailure("cannot bind port \(port): \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        return address
    }
}
