import CLinux
import Glibc
import PromoCore

/// The listening socket: it accepts a few connections at a time, so that those who are there are served in between.
final class Listener: PollLoop.Source {
    /// How many are accepted before others have their turn.
    private static let burst = 16
    /// Where accepting fails, as it does while there are no descriptors, it would fail at once again.
    private static let pause: Milliseconds = 1000

    private let descriptor: Int32
    private let loop: PollLoop
    private let accepted: (Int32) -> Void
    private var isWatched = false
    private var isStopped = false

    /// Calls back with each connection, as a descriptor that the callee has to close.
    init(_ descriptor: Int32, loop: PollLoop, accepted: @escaping (Int32) -> Void) throws(SystemError) {
        self.descriptor = descriptor
        self.loop = loop
        self.accepted = accepted
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
            Glibc.listen(descriptor, SOMAXCONN) == 0
        else { throw SystemError("listen on", "the socket") }
        try watch()
    }

    func ready(_ readiness: PollLoop.Readiness) {
        if isWatched, !accept(Self.burst) { rest() }
    }

    /// Accepts those who are there already, and no more; whoever else holds the socket, as systemd does, keeps what arrives later.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        unwatch()
        _ = accept(Int(SOMAXCONN))
        close(descriptor)
    }

    /// Accepts so many at most; false if it fails, and would fail again at once.
    private func accept(_ maximum: Int) -> Bool {
        for _ in 0..<maximum {
            let connection = promod_accept(descriptor)
            if connection >= 0 {
                accepted(connection)
                continue
            }
            switch errno {
            // A client that gave up before it was accepted is nobody's failure.
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return true
            default: return false
            }
        }
        return true
    }

    private func rest() {
        unwatch()
        loop.schedule(at: loop.now + Self.pause) { [weak self] in
            guard let self, !isStopped else { return }
            do { try watch() } catch { rest() }
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
