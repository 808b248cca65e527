/// The counters of the query plane, since the daemon's start unless noted.
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
    package var errors: Int { errorReplies.values.reduce(unexplainedErrors, &+) }
    /// Error replies whose reasons a status does not have, because an earlier promod has only their sum.
    private var unexplainedErrors = 0

    /// Creates counters at zero.
    package init() {}

    /// Counts an error reply.
    package mutating func addError(_ reason: ErrorReason) { errorReplies[reason, default: 0] += 1 }
}

extension QueryCounters {
    /// Reads the objects `socket` and `queries` of a status.
    package init(socket: JSONValue, queries: JSONValue) throws(MalformedResult) {
        self.init()
        connections = try socket.integer("connections")
        subscribers = try socket.integer("subscribers")
        refused = try socket.integer("refused")
        let errors = try queries.integer("errors")
        for (name, value) in queries["errorReasons"]?.members.map(\.self) ?? [] {
            if let reason: ErrorReason = name.word() { errorReplies[reason] = value.integer }
        }
        unexplainedErrors = errors &- self.errors
        for (name, value) in queries.members where !name.isString("errors") {
            if let method = name.ascii(upTo: 64), let count = value.integer { requests[method] = count }
        }
    }
}
