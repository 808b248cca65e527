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
    /// The end of a pause; nil except during one.
    private var timer: PollLoop.TimerID?

    /// Accepts from a descriptor that listens.
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
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 else {
            throw SystemError("listen on", "the socket")
        }
        try loop.add(descriptor, self, for: .input)
    }

    func ready(_ readiness: PollLoop.Readiness) {
        if timer == nil, !accept(Self.burst) { pause() }
    }

    /// Accepts the connections that are waiting, and stops. Later ones wait in the socket if systemd holds it too.
    func stop() {
        if let timer { loop.cancel(timer) } else { loop.remove(descriptor) }
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
        loop.remove(descriptor)
        timer = loop.schedule(at: loop.now + Self.pause) { [unowned self] in
            timer = nil
            do { try loop.add(descriptor, self, for: .input) } catch { pause() }
        }
    }
}
