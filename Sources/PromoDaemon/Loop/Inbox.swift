import CLinux
import Dispatch
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
        if isFirst { wake() }
    }

    private func wake() {
        // An eventfd takes and returns one number of eight bytes.
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, 8)
    }

    /// Runs the jobs that were submitted so far, until it is late. The others stay first, and the descriptor readable.
    func empty(into target: Target, isLate: () -> Bool = { false }) {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, 8)
        let taken = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for (index, job) in taken.enumerated() {
            job(target)
            guard isLate(), index + 1 < taken.count else { continue }
            jobs.withLock { $0.insert(contentsOf: taken[(index + 1)...], at: 0) }
            return wake()
        }
    }
}

extension DispatchQueue {
    /// Waits until the jobs that were submitted so far are done, or for a time: a disk or a peer may not answer.
    func finish(within time: DispatchTimeInterval) {
        let end = DispatchSemaphore(value: 0)
        async { end.signal() }
        _ = end.wait(timeout: .now() + time)
    }
}
