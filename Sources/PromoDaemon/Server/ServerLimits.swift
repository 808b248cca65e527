import Glibc
package import Logging
import Synchronization

/// The limits for connections and subscribers, and a descriptor limit of the process that is high enough for them if it may be.
package final class ServerLimits: Sendable {
    /// The descriptor limit, and how many connections are configured, if it allows fewer.
    private struct Shortage: Equatable {
        let limit: Int
        let wanted: Int
    }

    private struct State {
        var shares: DescriptorShares
        var subscribers: Int
        var shortage: Shortage?
    }

    private let logger: Logger
    private let state: Mutex<State>

    /// Fails if the process may not open enough files to serve and to fetch anything.
    package static func checkDescriptorLimit() throws(StartFailure) {
        let limit = raiseDescriptorLimit(to: DescriptorShares.minimum)
        guard limit < DescriptorShares.minimum else { return }
        throw StartFailure(
            .osError,
            "a limit of \(limit) open files is too low; at least \(DescriptorShares.minimum) are needed (ulimit -n, or LimitNOFILE=)"
        )
    }

    /// The limits of a configuration. The log says so if the process may not have enough descriptors for them.
    package init(_ configuration: Configuration, logger: Logger) {
        self.logger = logger
        state = Mutex(Self.state(for: configuration))
        reportShortage(of: configuration, before: nil)
    }

    /// The maximum number of open connections.
    package var connections: Int { state.withLock { $0.shares.connections } }
    /// The maximum number of connections over the limit that are open for an error reply.
    var refusals: Int { state.withLock { $0.shares.refusals } }
    /// The number of fetches for which there are descriptors.
    var fetches: Int { state.withLock { $0.shares.fetches } }
    /// The maximum number of subscribers.
    package var subscribers: Int { state.withLock { $0.subscribers } }

    /// What limits the connections, for an error message.
    var cause: String {
        state.withLock { state in
            state.shortage.map { "the limit of \($0.limit) open files leaves room for no more" }
                ?? "socket.max-connections"
        }
    }

    /// Applies the limits of another configuration. If they are lower, open connections stay open.
    package func change(to configuration: Configuration) {
        let before = state.withLock { state in
            defer { state = Self.state(for: configuration) }
            return state.shortage
        }
        reportShortage(of: configuration, before: before)
    }

    private func reportShortage(of configuration: Configuration, before: Shortage?) {
        let (shortage, connections) = state.withLock { ($0.shortage, $0.shares.connections) }
        guard let shortage, shortage != before else { return }
        logger.log(
            .connectionsLimited,
            "The limit of \(shortage.limit) open files leaves room for \(connections) connections, fewer than "
                + "socket.max-connections (\(shortage.wanted))")
    }

    private static func state(for configuration: Configuration) -> State {
        let wanted = configuration.maximumConnections
        let limit = raiseDescriptorLimit(to: DescriptorShares.limit(for: wanted))
        let shares = DescriptorShares(limit: limit, wanted: wanted)
        return State(
            shares: shares, subscribers: configuration.maximumSubscribers,
            shortage: shares.connections < wanted ? Shortage(limit: limit, wanted: wanted) : nil)
    }

    /// Raises the soft limit, which is 1,024 descriptors for a user unit, because each connection takes one.
    /// - Returns: the limit now.
    private static func raiseDescriptorLimit(to wanted: Int) -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limits = rlimit()
        // The kernel reads and writes the limits before it returns.
        guard unsafe getrlimit(resource, &limits) == 0 else { return wanted }
        if limits.rlim_cur < wanted {
            var raised = limits
            raised.rlim_cur = min(rlim_t(wanted), limits.rlim_max)
            if unsafe setrlimit(resource, &raised) == 0 { limits = raised }
        }
        return Int(clamping: limits.rlim_cur)
    }
}
