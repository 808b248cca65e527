import PromoWire

/// Replies to successive calls of a line that are awaited together, and sent in the order of the calls.
struct AwaitedReplies: Sendable {
    /// The maximum number of a connection's requests that wait together, because all connections share one queue.
    private static let maximum = 16

    /// The group of the calls that may join; none after a reply has arrived.
    private var group: WaitingGroup
    /// The number of the first reply.
    private var first: Int
    /// The replies; nil for one that has not arrived.
    private var replies: [OutputQueue?] = []

    init(group: WaitingGroup, first: Int) {
        (self.group, self.first) = (group, first)
    }

    var isEmpty: Bool { replies.isEmpty }

    /// Whether a call may wait together with those that do.
    func mayJoin(_ call: Call?) -> Bool {
        guard case .request(let request, _) = call, group != .alone, replies.count < Self.maximum else { return false }
        return request.method.description.waitingGroup == group
    }

    /// Adds the reply to the next call; nil if it has not arrived.
    mutating func append(_ reply: OutputQueue?) {
        replies.append(reply)
    }

    /// The reply with this number has arrived.
    mutating func arrived(_ number: Int, _ reply: inout OutputQueue) {
        group = .alone
        if replies.indices.contains(number - first) { replies[number - first] = OutputQueue(moving: &reply) }
    }

    /// Removes the first reply if it has arrived.
    mutating func popFirst() -> OutputQueue? {
        guard let reply = replies.first ?? nil else { return nil }
        replies.removeFirst()
        first += 1
        return reply
    }
}
