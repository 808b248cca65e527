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

    /// Accepts and closes the connections that wait.
    /// - Returns: how many they were.
    func hangUp() -> Int {
        var count = 0
        while isConnected {
            close(accept(descriptor, nil, nil))
            count += 1
        }
        return count
    }

    /// Resets the connections that it accepted, and accepts no more.
    func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    deinit {
        close(descriptor)
    }
}
