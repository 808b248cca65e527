import CLinux
import Glibc
import PromoCore

/// Accepts connections, a few at a time, so that it does not delay existing ones.
final class Listener: PollLoop.Source {
    /// The number of connections to accept before others have their turn.
    private static let burst = 16
    /// The pause after a failure, such as a lack of descriptors, which would fail again at once.
    private static let pause: Milliseconds = 1000

    private let descriptor: Int32
    private let loop: PollLoop
    private let accepted: (Int32) -> Void
    private let failed: (SystemError) -> Void
    /// Whether accepting failed the last time.
    private var isFailing = false
    private var isWatched = false
    private var isStopped = false

    /// Listens on a descriptor.
    /// - Parameters:
    ///   - accepted: gets the descriptor of each connection, and has to close it.
    ///   - failed: gets the reason why accepting fails, once until it succeeds.
    init(
        _ descriptor: Int32, loop: PollLoop, accepted: @escaping (Int32) -> Void,
        failed: @escaping (SystemError) -> Void
    ) throws(SystemError) {
        self.descriptor = descriptor
        self.loop = loop
        self.accepted = accepted
        self.failed = failed
        promod_refuse_descriptors(descriptor)
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
            Glibc.listen(descriptor, SOMAXCONN) == 0
        else { throw SystemError("listen on", "the socket") }
        try watch()
    }

    func ready(_ readiness: PollLoop.Readiness) {
        if isWatched, !accept(Self.burst) { pause() }
    }

    /// Accepts the connections that are waiting, and stops. Later ones wait in the socket if systemd holds it too.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        unwatch()
        _ = accept(Int(SOMAXCONN))
        close(descriptor)
    }

    /// Accepts at most `maximum` connections; false if accepting fails and a pause is needed.
    private func accept(_ maximum: Int) -> Bool {
        for _ in 0..<maximum {
            let connection = promod_accept(descriptor)
            if connection >= 0 {
                isFailing = false
                accepted(connection)
                continue
            }
            switch errno {
            // A client that disconnected before it was accepted is not an error.
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return true
            default:
                if !isFailing { failed(SystemError("accept connections on", "the socket")) }
                isFailing = true
                return false
            }
        }
        return true
    }

    private func pause() {
        unwatch()
        loop.schedule(at: loop.now + Self.pause) { [weak self] in
            guard let self, !isStopped else { return }
            do { try watch() } catch { pause() }
        }
    }

    private func watch() throws(SystemError) {
        try loop.add(descriptor, self, for: .input)
        isWatched = true
    }

    private func unwatch() {
        if isWatched { loop.remove(descriptor) }
        isWatched = false
    }
}
