import CLinux
import Glibc
import Synchronization

/// Jobs from other threads for an object that belongs to the loop's thread. An eventfd(2) wakes the loop.
package final class Inbox<Target>: Sendable {
    /// A descriptor that is readable while there are jobs.
    let descriptor: Int32
    private let jobs = Mutex<[@Sendable (Target) -> Void]>([])

    /// An inbox without jobs.
    /// - Throws: ``SystemError`` if no descriptor is left.
    package init() throws(SystemError) {
        descriptor = promod_eventfd()
        guard descriptor >= 0 else { throw SystemError("make an eventfd for", "an inbox") }
    }

    deinit {
        close(descriptor)
    }

    /// Runs the closure on the loop's thread, after those that were submitted before.
    package func submit(_ body: @escaping @Sendable (Target) -> Void) {
        let isFirst = jobs.withLock { jobs in
            jobs.append(body)
            return jobs.count == 1
        }
        guard isFirst else { return }
        // An eventfd takes and returns one number of eight bytes.
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, 8)
    }

    /// Runs the jobs that were submitted so far.
    func empty(into target: Target) {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, 8)
        let taken = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in taken { job(target) }
    }
}
