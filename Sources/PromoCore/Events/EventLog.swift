package import PromoWire

/// The latest events as lines ready to send, numbered since the daemon's start.
package struct EventLog: Sendable {
    /// The maximum number of kept events, and so the most that a subscriber may fall behind.
    package static let capacity = 1024

    /// The sequence number of the latest event, 0 before the first.
    package private(set) var seq = 0
    /// A ring: event n is at (n − 1) mod capacity.
    private var entries: [(event: Event, line: [UInt8])] = []

    /// Creates a log without events.
    package init() {}

    /// The sequence number of the oldest event that is kept.
    package var firstKept: Int { seq - entries.count + 1 }

    /// Whether every event after a number is kept.
    package func keepsAll(after sent: Int) -> Bool { sent + 1 >= firstKept }

    /// Numbers an event and appends it; the oldest one makes room.
    package mutating func append(_ event: Event, at time: Timestamp) {
        seq += 1
        var event = event
        (event.seq, event.at) = (seq, time)
        let entry = (event, event.line)
        if entries.count < Self.capacity { entries.append(entry) } else { entries[(seq - 1) % Self.capacity] = entry }
    }

    /// The line of an event that is kept; nil if the filter does not select it.
    package func line(_ number: Int, for filter: EventFilter) -> [UInt8]? {
        let entry = entries[(number - 1) % Self.capacity]
        return filter.selects(entry.event) ? entry.line : nil
    }

    /// The highest number up to which the filter selects no kept event after `sent`.
    package func skipped(after sent: Int, for filter: EventFilter) -> Int {
        var sent = sent
        while sent < seq, keepsAll(after: sent), line(sent + 1, for: filter) == nil { sent += 1 }
        return sent
    }

    /// The number after which a subscription receives events: the one that was asked for, as far back as events are kept. A number of another
    /// run means all that are kept.
    package func start(_ parameters: SubscribeParameters, epoch: String) -> Int {
        guard let since = parameters.since else { return seq }
        return parameters.epoch == epoch ? min(max(since, firstKept - 1), seq) : firstKept - 1
    }
}

/// The events that a subscriber selects.
package struct EventFilter: Sendable {
    /// The kinds of events, in the order of `EventKind`.
    package let kinds: [EventKind]
    /// The id of the only host whose impressions and taps are selected; nil for all hosts.
    package let host: String?
    /// The name of the only catalog whose events are selected; nil for all catalogs.
    package var catalog: String?

    /// Creates a filter; nil selects all kinds, all hosts, or all catalogs.
    package init(kinds: [EventKind]? = nil, host: String? = nil, catalog: String? = nil) {
        self.kinds = EventKind.allCases.filter { kinds?.contains($0) ?? true }
        self.host = host
        self.catalog = catalog
    }

    func selects(_ event: Event) -> Bool {
        kinds.contains(event.kind) && (host == nil || !event.kind.hasHost || event.host == host)
            && (catalog == nil || event.catalog == catalog)
    }
}

extension Event {
    /// The event as a line of the protocol, with LF.
    var line: [UInt8] { Self.line(write) }

    /// The last line to a subscriber that has fallen too far behind, with LF.
    /// - Parameter seq: the number up to which all events that it selected were sent.
    package static func laggedLine(sent seq: Int) -> [UInt8] {
        line { writer in
            writer.object { writer in
                writer.member("seq", seq)
                writer.member("event", "lagged")
            }
        }
    }

    private static func line(_ parameters: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.line { writer in
            writer.append(#""jsonrpc":"2.0","method":"event","params":"#)
            parameters(&writer)
        }
    }
}
