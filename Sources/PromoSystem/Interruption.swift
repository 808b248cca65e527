import CLinux
package import Glibc

/// Ends the waits of another thread, from any thread and permanently.
package final class Interruption: Sendable {
    private struct State {
        var isFired = false
        /// nil until the first wait, so that a request that waits for a thread has no descriptor.
        var descriptor: Int32?
    }

    /// The interval at which a wait checks the flag if no descriptor could be opened, in milliseconds.
    private static let slice: Int32 = 1000

    private let state = Guarded(State())

    package init() {}

    deinit { release() }

    /// Closes the descriptor after the last wait; the object itself may be retained for longer.
    package func release() {
        state.withLock { state in
            if let descriptor = state.descriptor, descriptor >= 0 { close(descriptor) }
            state.descriptor = -1
        }
    }

    /// A descriptor that is readable once the interruption is fired; -1, which `poll` ignores, if none could be opened.
    var descriptor: Int32 {
        state.withLock { state in
            if let descriptor = state.descriptor { return descriptor }
            let descriptor = promod_eventfd()
            state.descriptor = descriptor
            if state.isFired { Self.signal(descriptor) }
            return descriptor
        }
    }

    /// Ends the wait that is under way, and each later one as soon as it begins.
    package func fire() {
        state.withLock { state in
            state.isFired = true
            if let descriptor = state.descriptor { Self.signal(descriptor) }
        }
    }

    private static func signal(_ descriptor: Int32) {
        // An eventfd takes one number of eight bytes, and stays readable until that is read, which never happens.
        let one: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
        _ = Descriptor.write(one.span, to: descriptor)
    }

    /// Whether the interruption was fired.
    package var isFired: Bool { state.withLock { $0.isFired } }

    /// Waits until a descriptor is ready, until a deadline, or until the interruption is fired.
    /// - Returns: which of them are ready; none at the deadline, and nil if the interruption was fired.
    package func wait(for pollers: [pollfd] = [], until deadline: Deadline) -> [Bool]? {
        var all = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)] + pollers
        guard !isFired else { return nil }
        repeat {
            let timeout = deadline.pollTimeout
            let slice = timeout < 0 ? Self.slice : min(timeout, Self.slice)
            // The kernel changes as many pollers as it is given.
            unsafe poll(&all, nfds_t(all.count), all[0].fd >= 0 ? timeout : slice)
            if isFired { return nil }
            let ready = all.dropFirst().map { $0.revents != 0 }
            if ready.contains(true) { return ready }
        } while !deadline.hasPassed
        return pollers.map { _ in false }
    }

    /// Sleeps until a deadline, or until the interruption is fired.
    /// - Returns: whether it was fired.
    package func wait(until deadline: Deadline) -> Bool { wait(for: [], until: deadline) == nil }
}
