import PromoWire

/// Adds up the requests of all daemons.
struct Tally: Sendable {
    /// The time of the first count, relative to the event.
    private let start: Timestamp
    private var perSecond: [UInt32]
    private var perSecondFromBuilding: [UInt32]
    /// How many daemons that were behind at the event caught up, per second after it.
    private var caughtUp: [UInt32]
    private var behind = 0
    private var looks = 0
    private var staleLooks = 0
    /// The longest time from a look at an expired catalog, or at none, to a fresh one.
    private(set) var longestWait: Duration?

    init(_ scenario: Scenario) {
        start = .event - scenario.prelude
        let after = Int(Scenario.span.components.seconds)
        let seconds = after + Int(scenario.prelude.components.seconds)
        perSecond = Array(repeating: 0, count: seconds)
        perSecondFromBuilding = perSecond
        caughtUp = Array(repeating: 0, count: after)
    }

    // MARK: Counting

    mutating func requested(by daemon: Daemon, at time: Timestamp) {
        let second = Int((time - start).components.seconds)
        guard time >= start, second < perSecond.count else { return }
        perSecond[second] += 1
        if daemon.isInBuilding { perSecondFromBuilding[second] += 1 }
    }

    mutating func catchesUp(at time: Timestamp) {
        behind += 1
        let second = Int((time - .event).components.seconds)
        if second < caughtUp.count { caughtUp[second] += 1 }
    }

    mutating func staysBehind() {
        behind += 1
    }

    mutating func looked(isStale: Bool, at time: Timestamp) {
        guard time >= .event else { return }
        looks += 1
        if isStale { staleLooks += 1 }
    }

    mutating func waited(_ duration: Duration) {
        longestWait = max(longestWait ?? .zero, duration)
    }

    // MARK: Results

    /// The most requests in a second.
    var peak: Int { Int(perSecond.max() ?? 0) }

    /// The most requests in a second from one address.
    var peakFromBuilding: Int { Int(perSecondFromBuilding.max() ?? 0) }

    /// The mean number of requests a second while the computers are on, from the event on.
    func mean(_ sessions: [Scenario.Session]) -> Double {
        let on = sessions.reduce(Duration.zero) { $0 + max($1.end - max($1.begin, .event), .zero) }
        return Double(later.reduce(0) { $0 + Int($1) }) / (on / .seconds(1))
    }

    /// The share of looks that met an expired catalog, or none.
    var shareOfStaleLooks: Double { Double(staleLooks) / Double(max(looks, 1)) }

    /// The most requests in a minute, from the event on.
    var busiestMinute: Int { Self.sums(later, 60).max() ?? 0 }

    /// The most requests in a minute of a day; the event begins day 0.
    func busiestMinute(ofDay day: Int) -> Int { Self.sums(later.dropFirst(day * 86_400).prefix(86_400), 60).max() ?? 0 }

    /// The numbers of requests in the busiest minute of each part of a period from the beginning.
    func busiestMinutes(of part: Duration, until end: Timestamp) -> [Int] {
        let seconds = Int((end - start).components.seconds)
        let minutes = Self.sums(perSecond.prefix(seconds), 60)
        let length = Int(part / .seconds(60))
        return stride(from: 0, to: minutes.count, by: length).map { index in
            minutes[index..<min(index + length, minutes.count)].max() ?? 0
        }
    }

    /// How long after the event a share of the daemons that were behind have caught up; nil if some did not.
    func timeUntilFresh(_ share: Double) -> Duration? {
        var missing = Int((Double(behind) * share).rounded(.up))
        guard missing > 0 else { return .zero }
        for (second, count) in caughtUp.enumerated() {
            missing -= Int(count)
            if missing <= 0 { return .seconds(second + 1) }
        }
        return nil
    }

    private var later: ArraySlice<UInt32> {
        perSecond.dropFirst(Int((Timestamp.event - start).components.seconds))
    }

    private static func sums(_ counts: ArraySlice<UInt32>, _ length: Int) -> [Int] {
        stride(from: counts.startIndex, to: counts.endIndex, by: length).map { index in
            counts[index..<min(index + length, counts.endIndex)].reduce(0) { $0 + Int($1) }
        }
    }
}
