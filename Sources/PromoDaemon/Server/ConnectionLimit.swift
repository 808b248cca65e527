import Glibc
import Synchronization

/// How many connections may be open, and the process's descriptor limit to match.
package final class ConnectionLimit: Sendable {
    /// Connections over the limit that are told so at the same time; the rest are closed without a word.
    static let maximumRefusals = 64
    /// Descriptors for everything but connections: event loop, timers, logs, files, the origin.
    private static let otherDescriptors = 64

    private let count: Mutex<Int>

    /// A limit of so many connections.
    package init(_ connections: Int) {
        count = Mutex(connections)
        Self.raiseDescriptorLimit(for: connections)
    }

    /// How many may be open; where it is lowered, those that are stay.
    package var connections: Int {
        get { count.withLock { $0 } }
        set {
            count.withLock { $0 = newValue }
            Self.raiseDescriptorLimit(for: newValue)
        }
    }

    /// A user unit's soft limit is 1,024 descriptors, and each connection takes one.
    private static func raiseDescriptorLimit(for connections: Int) {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return }
        let wanted = rlim_t(connections + maximumRefusals + otherDescriptors)
        guard limits.rlim_cur < wanted else { return }
        limits.rlim_cur = min(wanted, limits.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    }
}
