import Glibc
import PromoTestSupport

/// A TCP port that accepts connections and never sends anything.
final class SilentListener: Sendable {
    private let loopback: LoopbackPort
    private let descriptor: Int32

    init() throws {
        loopback = try LoopbackPort()
        descriptor = try loopback.listen()
    }

    var port: Int { loopback.number }

    /// Whether a client has connected.
    var isConnected: Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&poller, 1, 0) == 1
    }

    deinit {
        close(descriptor)
    }
}
