import Dispatch
import Glibc
import Synchronization

/// Hands jobs over to a Dispatch queue without blocking the caller.
///
/// `DispatchQueue.async` starts a thread if none is free. While the system refuses one, because a limit on processes is reached, it sleeps
/// and tries again in the caller. Here the caller only writes to an eventfd(2), which Dispatch's own thread watches.
final class Handover: Sendable {
    private let inbox: Inbox<Void>
    /// A mutex, because Dispatch does not declare its sources sendable.
    private let watch: Mutex<DescriptorWatch>

    /// A handover to a queue.
    /// - Throws: ``SystemError`` if no descriptor is left.
    init(to queue: DispatchQueue) throws(SystemError) {
        let inbox = try Inbox<Void>()
        self.inbox = inbox
        // A copy, because a watch closes its descriptor.
        watch = Mutex(
            try DescriptorWatch(fcntl(inbox.descriptor, F_DUPFD_CLOEXEC, 0), of: "an inbox", queue: queue) { _ in
                inbox.empty(into: ())
            })
    }

    /// Runs the closure on the queue, after those that were submitted before.
    func submit(_ body: @escaping @Sendable () -> Void) {
        inbox.submit { _ in body() }
    }

    /// Runs the jobs that were submitted so far. Call this on the queue.
    func runSubmitted() {
        inbox.empty(into: ())
    }
}
