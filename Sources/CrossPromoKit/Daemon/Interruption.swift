import Glibc

/// Ends another thread's wait, once and for good.
package final class Interruption: Sendable {
    /// Becomes readable when it was fired; -1, which `poll` ignores, where there was no descriptor left.
    let descriptor: Int32
    private let firing: Int32

    package init() {
        var ends: [Int32] = [-1, -1]
        // A socket pair, because its close-on-exec comes with it.
        _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        descriptor = ends[0]
        firing = ends[1]
    }

    deinit {
        close(descriptor)
        close(firing)
    }

    /// Ends the wait that is under way, and every later one at once.
    package func fire() {
        shutdown(firing, Int32(SHUT_WR))
    }

    /// Whether it was fired.
    var isFired: Bool { wait(until: .after(.zero)) }

    /// Sleeps; true where it was fired meanwhile.
    package func wait(until deadline: Deadline) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&poller, 1, deadline.pollTimeout)
            if count > 0 { return true }
            if count == 0 && deadline.hasPassed { return false }
        }
    }
}
