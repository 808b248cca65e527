import Glibc
import PromoProcess

/// Ends the waits of another thread, from any thread and for good.
package final class Interruption: Sendable {
    /// A descriptor that becomes readable when the interruption is fired; -1, which `poll` ignores, if none could be opened.
    let descriptor: Int32
    private let firing: Int32

    package init() {
        (descriptor, firing) = SocketPair.open()
    }

    deinit {
        close(descriptor)
        close(firing)
    }

    /// Ends the wait that is under way, and each later one as soon as it begins.
    package func fire() {
        shutdown(firing, Int32(SHUT_WR))
    }

    /// Whether the interruption was fired.
    var isFired: Bool { wait(until: .after(.zero)) }

    /// Sleeps until a deadline, or until the interruption is fired.
    /// - Returns: whether it was fired.
    package func wait(until deadline: Deadline) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            // The kernel changes the one poller.
            let count = unsafe poll(&poller, 1, deadline.pollTimeout)
            if count > 0 { return true }
            if count == 0 && deadline.hasPassed { return false }
        }
    }
}
