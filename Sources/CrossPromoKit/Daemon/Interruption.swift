import CLinux
import Glibc
import PromoProcess
import Synchronization

/// Ends the waits of another thread, from any thread and for good.
package final class Interruption: Sendable {
    /// How often a wait looks by itself, in milliseconds, if there was no descriptor for the interruption.
    private static let slice: Int32 = 1000

    /// A descriptor that becomes readable when the interruption is fired; -1, which `poll` ignores, if none could be opened.
    let descriptor = promod_eventfd()
    private let fired = Mutex(false)

    package init() {}

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Ends the wait that is under way, and each later one as soon as it begins.
    package func fire() {
        fired.withLock { $0 = true }
        // An eventfd takes one number of eight bytes, and stays readable until that is read, which nobody does.
        let one: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
        _ = Descriptor.write(one.span, to: descriptor)
    }

    /// Whether the interruption was fired.
    var isFired: Bool { fired.withLock { $0 } }

    /// The timeout for a `poll` that also waits for the descriptor, in milliseconds; -1 for none.
    func pollTimeout(until deadline: Deadline) -> Int32 {
        let timeout = deadline.pollTimeout
        return descriptor >= 0 ? timeout : timeout < 0 ? Self.slice : min(timeout, Self.slice)
    }

    /// Sleeps until a deadline, or until the interruption is fired.
    /// - Returns: whether it was fired.
    package func wait(until deadline: Deadline) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while !isFired {
            // The kernel changes the one poller.
            unsafe poll(&poller, 1, pollTimeout(until: deadline))
            if deadline.hasPassed { return isFired }
        }
        return true
    }
}
