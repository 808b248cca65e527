package import PromoWire

/// The latest events as lines ready to send, numbered since the daemon's start.
package struct EventLog: Sendable {
    /// The maximum number of kept events, and so the most that a subscriber may fall behind.
    package static let capacity = 1024
    /// The maximum size of all kept events in bytes, and so the most that a subscriber may fall behind.
    package static let maximumBytes = 1024 * 1024
    /// The number of events whose keys are kept, so that missed events can be counted when their lines are gone.
    private static let remembered = 65_536

    /// The properties of an event by which a filter selects it.
    struct Key: Sendable {
        let kind: EventKind
        /// The hash of the host's id; the id itself would take more memory, and keys are kept longer than events.
        let host: Int?
        /// A part of the hash of the catalog's identity.
        let catalog: Int32

        /// The part of a hash that is kept.
        static func hash(_ text: String) -> Int32 { Int32(truncatingIfNeeded: text.hashValue) }
    }

    private struct Entry: Sendable {
        var line: [UInt8]
        /// The total size of all lines before this one, in bytes.
        let offset: Int
    }

    /// The sequence number of the latest event, 0 before the first.
    package private(set) var seq = 0

    private var entries: [Entry] = []
    private var keys: [Key] = []
    private var totalBytes = 0

    /// Creates a log without events.
    package init() {}

    /// The sequence number of the oldest event that is kept.
    package private(set) var firstKept = 1

    /// Numbers an event and appends it. The oldest events are dropped to make room.
    /// - Parameter identity: that of the event's catalog; nil if it is its name.
    package mutating func append(_ event: Event, of identity: String? = nil, at time: Timestamp) {
        seq += 1
        let entry = Entry(line: event.line(seq: seq, at: time), offset: totalBytes)
        totalBytes += entry.line.count
        Self.put(entry, into: &entries, capacity: Self.capacity, seq: seq)
        let key = Key(
            kind: event.kind, host: event.host?.hashValue, catalog: Key.hash(identity ?? event.catalog))
        Self.put(key, into: &keys, capacity: Self.remembered, seq: seq)
        firstKept = max(firstKept, seq - Self.capacity + 1)
        while totalBytes - entries[(firstKept - 1) % Self.capacity].offset > Self.maximumBytes {
            entries[(firstKept - 1) % Self.capacity].line = []
            firstKept += 1
        }
    }

    /// The line of an event that is kept; nil if the filter does not select it.
    package func line(_ number: Int, for filter: EventFilter) -> [UInt8]? {
        filter.selects(key(number)) ? entries[(number - 1) % Self.capacity].line : nil
    }

    /// The number of events in a range that a filter selects; nil if the keys of some of them are no longer kept.
    package func count(_ numbers: Range<Int>, for filter: EventFilter) -> Int? {
        guard !numbers.isEmpty else { return 0 }
        guard numbers.lowerBound > seq - keys.count else { return nil }
        return numbers.count { filter.selects(key($0)) }
    }

    /// Whether an event after `sent` that the filter selects is no longer kept.
    package func isTooFarBehind(after sent: Int, for filter: EventFilter) -> Bool {
        sent + 1 < firstKept && count(sent + 1..<firstKept, for: filter) != 0
    }

    /// The highest number such that the filter selects no event after `sent` up to it.
    package func skipped(after sent: Int, for filter: EventFilter) -> Int {
        var sent = sent
        while sent < seq, seq - sent <= keys.count, !filter.selects(key(sent + 1)) { sent += 1 }
        return sent
    }

    /// The events after a number that are kept and that a filter selects. Their lines are shared with the log.
    package func held(after sent: Int, for filter: EventFilter) -> [(seq: Int, line: [UInt8])] {
        (max(sent + 1, firstKept)..<max(seq + 1, firstKept)).compactMap { number in
            line(number, for: filter).map { (number, $0) }
        }
    }

    /// The start of a subscription, and how many events it has missed.
    package func replay(_ parameters: SubscribeParameters, for filter: EventFilter, epoch: String) -> Replay {
        guard let since = parameters.since else { return Replay(sent: seq, count: 0, missed: 0) }
        // A sequence number is meaningful only in the epoch in which it was counted.
        guard parameters.epoch == epoch else {
            return Replay(sent: firstKept - 1, count: count(firstKept..<seq + 1, for: filter) ?? 0, missed: nil)
        }
        let sent = min(max(since, firstKept - 1), seq)
        let missed = since < sent ? count(since + 1..<sent + 1, for: filter) : 0
        return Replay(sent: sent, count: count(sent + 1..<seq + 1, for: filter) ?? 0, missed: missed)
    }

    /// The start of a subscription.
    package struct Replay: Equatable, Sendable {
        /// The number after which events are sent.
        package let sent: Int
        /// The number of selected events that follow.
        package let count: Int
        /// The number of selected events that are no longer kept; nil if it is not known.
        package let missed: Int?
    }

    private func key(_ number: Int) -> Key {
        keys[(number - 1) % Self.remembered]
    }

    // Sequence numbers begin at 1, and event n is stored at (n − 1) mod capacity.
    private static func put<Element>(_ element: Element, into ring: inout [Element], capacity: Int, seq: Int) {
        if ring.count < capacity { ring.append(element) } else { ring[(seq - 1) % capacity] = element }
    }
}
