import Dispatch
import Glibc
import Synchronization

/// Does what waits, job by job, on a serial Dispatch queue.
///
/// `DispatchQueue.async` starts a thread if none is free. While the system refuses one, because a limit on processes is reached, it sleeps
/// and tries again in the caller. Here the caller only writes to an eventfd(2), which Dispatch's own thread watches.
final class Worker: Sendable {
    let queue: DispatchQueue
    private let inbox: Inbox<Void>
    /// A mutex, because Dispatch does not declare its sources sendable.
    private let watch: Mutex<DescriptorWatch>

    /// A worker with a queue of its own.
    /// - Throws: ``SystemError`` if no descriptor is left.
    convenience init(_ label: String) throws(SystemError) {
        try self.init(queue: DispatchQueue(label: label))
    }

    /// A worker on a serial queue.
    /// - Throws: ``SystemError`` if no descriptor is left.
    init(queue: DispatchQueue) throws(SystemError) {
        let inbox = try Inbox<Void>()
        (self.queue, self.inbox) = (queue, inbox)
        // A copy, because a watch closes its descriptor.
        watch = Mutex(
            try DescriptorWatch(fcntl(inbox.descriptor, F_DUPFD_CLOEXEC, 0), of: "an inbox", queue: queue) { _ in
                inbox.empty(into: ())
            })
    }

    /// Runs the job on the queue, after those that were submitted before.
    func submit(_ job: @escaping @Sendable () -> Void) {
        inbox.submit { _ in job() }
    }

    /// Waits until the jobs that were submitted so far are done, or for a time: a disk may not answer.
    func finish(within time: DispatchTimeInterval = .seconds(600)) {
        let end = DispatchSemaphore(value: 0)
        queue.async { [inbox] in
            inbox.empty(into: ())
            end.signal()
        }
        _ = end.wait(timeout: .now() + time)
    }
}
