import Glibc
import PromoTestSupport

/// A TCP connection whose close waits for decades until the peer, which reads nothing, has taken what was sent.
final class LingeringSocket {
    private let peer: Int32
    private let descriptor: Int32
    private var isClosed = false

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { _ = Glibc.close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let (descriptor, isConnected) = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                (
                    descriptor,
                    bind(listener, address, length) == 0 && listen(listener, 1) == 0
                        && getsockname(listener, address, &length) == 0 && connect(descriptor, address, length) == 0
                )
            }
        }
        peer = accept(listener, nil, nil)
        guard isConnected, peer >= 0 else { throw TestFailure("no connection over the loopback interface") }
        let piece = [UInt8](repeating: 0, count: 1 << 16)
        while Glibc.send(descriptor, piece, piece.count, Int32(MSG_DONTWAIT)) > 0 {}
        var linger = linger(l_onoff: 1, l_linger: .max)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    deinit {
        close()
        _ = Glibc.close(peer)
    }

    /// Closes this process's own descriptor; if others have been sent and not closed, that takes no time.
    func close() {
        if !isClosed { _ = Glibc.close(descriptor) }
        isClosed = true
    }

    /// Sends the descriptor in a message with one byte (unix(7), SCM_RIGHTS).
    func send(over connection: Int32) throws {
        // A cmsghdr: its length in eight bytes, the level, the type, and the descriptor, with padding.
        var control = [Int32](repeating: 0, count: 6)
        (control[0], control[2], control[3], control[4]) = (20, SOL_SOCKET, 1, descriptor)
        var byte: UInt8 = 0
        let sent = control.withUnsafeMutableBytes { control in
            withUnsafeMutablePointer(to: &byte) { byte in
                var vector = iovec(iov_base: byte, iov_len: 1)
                return withUnsafeMutablePointer(to: &vector) { vector in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (vector, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                    return sendmsg(connection, &message, 0)
                }
            }
        }
        guard sent == 1 else { throw TestFailure("the descriptor was not sent: errno \(errno)") }
    }
}
