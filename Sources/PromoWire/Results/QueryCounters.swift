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
}

extension QueryCounters {
    /// Visits the members of a status's `socket`.
    mutating func visitConnections(_ member: inout MemberVisitor) {
        member("connections", &connections, "connections that are open")
        member("subscribers", &subscribers, "connections that receive events")
        member("refused", &refused, "connections refused since the start")
    }

    /// Visits a status's `queries`.
    mutating func visitQueries(_ member: inout MemberVisitor) {
        member.special(
            [
                .init(
                    "queries", Self.schema,
                    "requests carried out since the start, by method, and error replies sent")
            ], write: { writeQueries(to: &$0) },
            read: { json throws(MalformedResult) in
                guard let queries = json["queries"], queries.kind == .object else {
                    throw MalformedResult(member: "queries")
                }
                read(queries)
            })
    }

    private static var schema: ValueSchema {
        let reasons = ErrorReason.allCases.map {
            ValueSchema.Property($0.rawValue, .integer, "error replies sent", isRequired: false)
        }
        return .object(
            MethodTable.all.map { .init($0.name, .integer, "requests") } + [
                .init("errors", .integer, "error replies sent"),
                .init(
                    "errorReasons", .object(reasons), "the same by reason; a reason that did not occur is left out"),
            ]
        ).named("QueryCounts")
    }

    private func writeQueries(to writer: inout JSONWriter) {
        writer.object("queries") { writer in
            for method in MethodTable.all { writer.member(method.name, requests[method.name] ?? 0) }
            writer.member("errors", errors)
            writer.object("errorReasons") { writer in
                for reason in ErrorReason.allCases {
                    if let count = errorReplies[reason] { writer.member(reason.rawValue, count) }
                }
            }
        }
    }

    private mutating func read(_ queries: JSONValue) {
        for (name, value) in queries["errorReasons"]?.members.map(\.self) ?? [] {
            if let reason = name.word(ErrorReason.self) { errorReplies[reason] = value.integer }
        }
        for (name, value) in queries.members where !name.isString("errors") {
            if let method = name.ascii(upTo: 64), let count = value.integer { requests[method] = count }
        }
    }
}
