import CLinux
import Glibc
import PromoProcess

/// Ends the waits of another thread, from any thread and for good.
package final class Interruption: Sendable {
    /// A descriptor that becomes readable when the interruption is fired; -1, which `poll` ignores, if none could be opened.
    let descriptor = promod_eventfd()

    package init() {}

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Ends the wait that is under way, and each later one as soon as it begins.
    package func fire() {
        // An eventfd takes one number of eight bytes, and stays readable until that is read, which nobody does.
        let one: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
        _ = Descriptor.write(one.span, to: descriptor)
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
