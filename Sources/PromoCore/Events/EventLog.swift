package import PromoWire

/// The last events, numbered since the daemon's start, each ready to be sent.
package struct EventLog: Sendable {
    /// How many events are held at most, and how far a subscriber may fall behind.
    package static let capacity = 1024
    /// How many bytes of events are held at most, and how far a subscriber may fall behind.
    package static let maximumBytes = 1024 * 1024
    /// For so many events it is remembered what they were, so that those that are missed can be counted.
    private static let remembered = 65_536

    /// What a filter has to know of an event.
    struct Key: Sendable {
        let kind: EventKind
        /// The host's hash rather than its name, for keys outlive their events.
        let host: Int?
    }

    private struct Entry: Sendable {
        var line: [UInt8]
        /// How many bytes all lines had before this one.
        let offset: Int
    }

    /// The number of the latest event, 0 before the first.
    package private(set) var seq = 0

    private var entries: [Entry] = []
    private var keys: [Key] = []
    private var totalBytes = 0

    /// A log without events.
    package init() {}

    /// The lowest number that is held.
    package private(set) var firstHeld = 1

    /// Numbers an event and holds it; the oldest make room for it.
    package mutating func append(_ event: Event, at time: Timestamp) {
        seq += 1
        let entry = Entry(line: event.line(seq: seq, at: time), offset: totalBytes)
        totalBytes += entry.line.count
        Self.put(entry, into: &entries, capacity: Self.capacity, seq: seq)
        Self.put(Key(kind: event.kind, host: event.host?.hashValue), into: &keys, capacity: Self.remembered, seq: seq)
        firstHeld = max(firstHeld, seq - Self.capacity + 1)
        while totalBytes - entries[(firstHeld - 1) % Self.capacity].offset > Self.maximumBytes {
            entries[(firstHeld - 1) % Self.capacity].line = []
            firstHeld += 1
        }
    }

    /// The line of a held event, where a filter selects it.
    package func line(_ number: Int, for filter: EventFilter) -> [UInt8]? {
        filter.selects(key(number)) ? entries[(number - 1) % Self.capacity].line : nil
    }

    /// How many selected events lie in a range of numbers that are remembered; nil where some are not.
    package func count(_ numbers: Range<Int>, for filter: EventFilter) -> Int? {
        guard !numbers.isEmpty else { return 0 }
        guard numbers.lowerBound > seq - keys.count else { return nil }
        return numbers.count { filter.selects(key($0)) }
    }

    /// Whether a subscriber who was sent all up to that number is further behind than one may be: some of the events that it
    /// selected are held no longer.
    package func isTooFarBehind(after sent: Int, for filter: EventFilter) -> Bool {
        sent + 1 < firstHeld && count(sent + 1..<firstHeld, for: filter) != 0
    }

    /// The highest number up to which a filter selects nothing after `sent`.
    package func skipped(after sent: Int, for filter: EventFilter) -> Int {
        var sent = sent
        while sent < seq, seq - sent <= keys.count, !filter.selects(key(sent + 1)) { sent += 1 }
        return sent
    }

    /// The held events after a number that a filter selects; the lines are shared with the log.
    package func held(after sent: Int, for filter: EventFilter) -> [(seq: Int, line: [UInt8])] {
        (max(sent + 1, firstHeld)..<max(seq + 1, firstHeld)).compactMap { number in
            line(number, for: filter).map { (number, $0) }
        }
    }

    /// What a new subscriber is sent of what is held, and what it has missed.
    package func replay(_ parameters: SubscribeParameters, epoch: String) -> Replay {
        let filter = EventFilter(kinds: parameters.events, host: parameters.host)
        guard let since = parameters.since else { return Replay(sent: seq, count: 0, missed: 0) }
        // A number means something only within the start that it was counted in.
        guard parameters.epoch == epoch else {
            return Replay(sent: firstHeld - 1, count: count(firstHeld..<seq + 1, for: filter) ?? 0, missed: nil)
        }
        let sent = min(max(since, firstHeld - 1), seq)
        let missed = since < sent ? count(since + 1..<sent + 1, for: filter) : 0
        return Replay(sent: sent, count: count(sent + 1..<seq + 1, for: filter) ?? 0, missed: missed)
    }

    /// Where a subscription begins.
    package struct Replay: Equatable, Sendable {
        /// Everything up to this number is not sent.
        package let sent: Int
        /// How many of the selected events follow.
        package let count: Int
        /// How many of the selected events are held no longer; nil where that is not known.
        package let missed: Int?
    }

    private func key(_ number: Int) -> Key {
        keys[(number - 1) % Self.remembered]
    }

    /// The numbers begin at 1, and number n lies at (n − 1) mod capacity.
    private static func put<Element>(_ element: Element, into ring: inout [Element], capacity: Int, seq: Int) {
        if ring.count < capacity { ring.append(element) } else { ring[(seq - 1) % capacity] = element }
    }
}
