import Glibc
import Synchronization

/// How many connections and subscriptions there may be, and the process's descriptor limit to match.
package final class ServerLimits: Sendable {
    /// Connections over the limit that are told so at the same time; the rest are closed without a word.
    static let maximumRefusals = 64
    /// Descriptors for everything but connections: loops, timers, logs, files, the origin.
    private static let otherDescriptors = 64

    private let counts: Mutex<(connections: Int, subscribers: Int)>

    /// The limits of a configuration.
    package init(_ configuration: Configuration) {
        counts = Mutex((configuration.maximumConnections, configuration.maximumSubscribers))
        Self.raiseDescriptorLimit(for: configuration.maximumConnections)
    }

    /// How many connections may be open.
    package var connections: Int { counts.withLock { $0.connections } }
    /// How many of them may follow events.
    package var subscribers: Int { counts.withLock { $0.subscribers } }

    /// Takes over another configuration's limits; where they are lower, what is open stays.
    package func change(to configuration: Configuration) {
        counts.withLock { $0 = (configuration.maximumConnections, configuration.maximumSubscribers) }
        Self.raiseDescriptorLimit(for: configuration.maximumConnections)
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
