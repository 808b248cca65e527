/// What the query plane counted since the start.
package struct QueryCounters: Equatable, Sendable {
    /// Connections that are open.
    package var connections = 0
    /// Connections that receive events.
    package var subscribers = 0
    /// Connections turned away: another uid's, and those over the limit.
    package var refused = 0
    /// Requests carried out, by method.
    package var requests: [String: Int] = [:]
    /// Errors answered.
    package var errors = 0

    /// Counters at zero.
    package init() {}
}

extension QueryCounters {
    /// Reads the objects `socket` and `queries` of a status.
    package init(socket: JSONValue, queries: JSONValue) throws(MalformedResult) {
        self.init()
        connections = try socket.integer("connections")
        subscribers = try socket.integer("subscribers")
        refused = try socket.integer("refused")
        errors = try queries.integer("errors")
        for (name, value) in queries.members where !name.isString("errors") {
            if let method = name.string, let count = value.integer { requests[method] = count }
        }
    }
}
