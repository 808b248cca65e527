import CLinux
import Glibc
import Synchronization

/// How other threads reach what lives on the loop's thread: they leave jobs, and an eventfd(2) wakes the loop.
package final class Inbox<Target>: Sendable {
    /// A class, because a closure that is read out of a generic container is wrapped once more at each read.
    private final class Job: Sendable {
        let body: @Sendable (Target) -> Void

        init(_ body: @escaping @Sendable (Target) -> Void) {
            self.body = body
        }
    }

    /// Readable while there are jobs.
    let descriptor: Int32
    private let jobs = Mutex<[Job]>([])

    /// An inbox without jobs.
    /// - Throws: ``SystemError`` if there is no descriptor left.
    package init() throws(SystemError) {
        descriptor = promod_eventfd()
        guard descriptor >= 0 else { throw SystemError("make an eventfd for", "the socket") }
    }

    deinit {
        close(descriptor)
    }

    /// Has the loop's thread do something, after everything that was submitted before.
    package func submit(_ body: @escaping @Sendable (Target) -> Void) {
        let isFirst = jobs.withLock { jobs in
            jobs.append(Job(body))
            return jobs.count == 1
        }
        guard isFirst else { return }
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Does what was submitted so far.
    func empty(into target: Target) {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
        let taken = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in taken { job.body(target) }
    }
}
