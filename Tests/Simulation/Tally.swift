import PromoWire

/// Adds up the requests of all daemons, by the minute.
struct Tally: Sendable {
    /// The first minute, relative to the event.
    private let start: Timestamp
    private var perMinute: [UInt32]
    private var behind = 0
    private var caughtUp = 0
    private var lastCatchUp = Duration.zero

    init(_ scenario: Scenario) {
        start = .event - scenario.prelude
        perMinute = Array(repeating: 0, count: Int((Scenario.span + scenario.prelude) / .minutes(1)))
    }

    mutating func requested(at time: Timestamp) {
        guard time >= start else { return }
        let minute = Int((time - start) / .minutes(1))
        if minute < perMinute.count { perMinute[minute] += 1 }
    }

    /// A daemon without a fresh catalog at the event has one.
    mutating func catchesUp(at time: Timestamp) {
        (behind, caughtUp, lastCatchUp) = (behind + 1, caughtUp + 1, max(lastCatchUp, time - .event))
    }

    mutating func staysBehind() { behind += 1 }

    // MARK: Results

    /// The requests from the event on.
    var total: Int { later.reduce(0) { $0 + Int($1) } }

    /// The most requests in a minute of some days; the event begins day 0.
    func busiestMinute(ofDays days: Range<Int>) -> Int {
        Int(later.dropFirst(days.lowerBound * 1440).prefix(days.count * 1440).max() ?? 0)
    }

    /// The numbers of requests in the busiest of every five minutes from the beginning.
    func busiestMinutes(until end: Timestamp) -> [Int] {
        let count = Int((end - start) / .minutes(1))
        return stride(from: 0, to: count, by: 5).map { Int(perMinute[$0..<min($0 + 5, count)].max() ?? 0) }
    }

    /// How long after the event all daemons have a fresh catalog; nil if some have none.
    var timeUntilFresh: Duration? { caughtUp == behind ? lastCatchUp : nil }

    private var later: ArraySlice<UInt32> { perMinute.dropFirst(Int((Timestamp.event - start) / .minutes(1))) }
}
