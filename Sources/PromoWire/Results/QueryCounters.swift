/// The counters of the server, since the daemon's start unless noted.
package struct QueryCounters: Equatable, Sendable {
    /// Connections that are open now.
    package var connections = 0
    /// Connections that receive events now.
    package var subscribers = 0
    /// Connections refused because of another uid or the limit.
    package var refused = 0
    /// Requests carried out, by method.
    package var requests: [String: Int] = [:]
    /// Error replies sent, by reason.
    package var errorReplies: [ErrorReason: Int] = [:]
    /// Error replies sent.
    package var errors: Int { errorReplies.values.reduce(0, &+) }

    /// Creates counters at zero.
    package init() {}

    /// Counts an error reply.
    package mutating func addError(_ reason: ErrorReason) { errorReplies[reason, default: 0] += 1 }

    /// Visits the members of a status's `socket`.
    mutating func visitConnections(_ member: inout MemberVisitor) {
        member("connections", &connections, "connections that are open")
        member("subscribers", &subscribers, "connections that receive events")
        member("refused", &refused, "connections refused since the start")
    }

    /// Visits the members of a status's `queries`.
    mutating func visitQueries(_ member: inout MemberVisitor) {
        for method in MethodTable.all {
            member(method.name, &requests[method.name, default: 0], "requests", isLenient: true)
        }
        member.derived("errors", errors, "error replies sent")
        member.object(
            "errorReasons", nil, "the same by reason; a reason that did not occur is left out"
        ) { member in
            for reason in ErrorReason.allCases {
                member.ifPresent(reason.rawValue, &errorReplies[reason], "error replies sent")
            }
        }
    }
}
