import Glibc
import Synchronization

/// The limits for connections and subscribers, and a descriptor limit of the process that is high enough for them.
package final class ServerLimits: Sendable {
    /// The maximum number of connections over the limit that are open for an error reply; any more are closed without one.
    static let maximumRefusals = 64
    /// Descriptors for everything except connections: loops, timers, logs, files, and a socket or two and an event loop of three
    /// descriptors for each connection to an origin. NIO ends the process if there are none left for an event loop.
    private static let otherDescriptors = 64 + NamedCatalog.maximumCount * HTTPSOrigin.maximumConnections * 5

    private let counts: Mutex<(connections: Int, subscribers: Int)>

    /// The limits of a configuration.
    package init(_ configuration: Configuration) {
        counts = Mutex((configuration.maximumConnections, configuration.maximumSubscribers))
        Self.raiseDescriptorLimit(for: configuration.maximumConnections)
    }

    /// The maximum number of open connections.
    package var connections: Int { counts.withLock { $0.connections } }
    /// The maximum number of subscribers.
    package var subscribers: Int { counts.withLock { $0.subscribers } }

    /// Applies the limits of another configuration. If they are lower, open connections stay open.
    package func change(to configuration: Configuration) {
        counts.withLock { $0 = (configuration.maximumConnections, configuration.maximumSubscribers) }
        Self.raiseDescriptorLimit(for: configuration.maximumConnections)
    }

    /// Raises the soft limit, which is 1,024 descriptors for a user unit, because each connection takes one.
    private static func raiseDescriptorLimit(for connections: Int) {
        var limits = rlimit()
        // The kernel reads and writes the limits before it returns.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return }
        let wanted = rlim_t(connections + maximumRefusals + otherDescriptors)
        guard limits.rlim_cur < wanted else { return }
        limits.rlim_cur = min(wanted, limits.rlim_max)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    }
}
