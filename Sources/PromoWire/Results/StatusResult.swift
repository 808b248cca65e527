/// The result of `status`.
package struct StatusResult: MethodResult, JSONObject, Equatable {
    /// The version of the protocol.
    package static let protocolVersion = 1

    package var version = ""
    package var pid = 0
    package var startedAt = Timestamp(seconds: 0)
    /// Identifies the daemon's run.
    package var epoch = ""
    package var isOnline = false
    package var problems: [Problem] = []
    /// All catalogs, in order of precedence.
    package var catalogs: [CatalogStatus] = []
    package var socket = SocketStatus()
    /// Requests carried out since the start, by method.
    package var requests: [String: Int] = [:]

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("version", &version, "promod's version")
        member.derived("protocol", Self.protocolVersion, "the version of this protocol")
        member("pid", &pid, "the daemon's process id")
        member("startedAt", &startedAt, "when the daemon started")
        member("epoch", &epoch, "the identifier of the daemon's run")
        member("online", &isOnline, "whether the kernel has a route to a global address")
        member("problems", &problems, "what a person may have to know or fix, the most urgent first")
        member("catalogs", &catalogs, "all catalogs, in order of precedence")
        member("socket", &socket, "the socket and its connections")
        member("requests", &requests, "requests carried out since the start, by method")
    }

    /// The status of a daemon that knows nothing yet.
    package init() {}
}

/// The socket, as `status` reports it.
package struct SocketStatus: JSONObject, Equatable {
    package var path = ""
    /// The number of connections that are open, and of those that receive events.
    package var (connections, subscribers) = (0, 0)

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("path", &path, "the path of the socket")
        member("connections", &connections, "connections that are open")
        member("subscribers", &subscribers, "connections that receive events")
    }
}
