import Glibc
package import Logging
import Synchronization

/// The limits for connections. Raises the process's limit on descriptors for them as far as it may.
package final class ServerLimits: Sendable {
    /// A descriptor limit that allows fewer connections than are configured.
    private struct Shortage: Equatable {
        let limit: Int
        let wanted: Int
    }

    private struct State {
        var shares: DescriptorShares
        var shortage: Shortage?
    }

    private let logger: Logger
    private let state: Mutex<State>

    /// Throws if the process may not open enough files to serve and fetch a catalog.
    package static func checkDescriptorLimit() throws(StartFailure) {
        let limit = raiseDescriptorLimit(to: DescriptorShares.minimum)
        guard limit < DescriptorShares.minimum else { return }
        throw StartFailure(
            .osError,
            "a limit of \(limit) open files is too low; at least \(DescriptorShares.minimum) are needed (ulimit -n, or LimitNOFILE=)"
        )
    }

    /// The limits of a configuration. Logs a warning if the process may not have enough descriptors for them.
    package init(_ configuration: Configuration, logger: Logger) {
        self.logger = logger
        state = Mutex(Self.state(for: configuration))
        reportShortage(before: nil)
    }

    /// The maximum numbers of connections, refusals and fetches.
    var shares: DescriptorShares { state.withLock { $0.shares } }

    /// The limit on connections that applies, for an error message.
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
        reportShortage(before: before)
    }

    private func reportShortage(before: Shortage?) {
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
            shares: shares,
            shortage: shares.connections < wanted ? Shortage(limit: limit, wanted: wanted) : nil)
    }

    /// Raises the soft limit, which is 1,024 descriptors for a user unit, because each connection takes one.
    /// - Returns: the new limit.
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
