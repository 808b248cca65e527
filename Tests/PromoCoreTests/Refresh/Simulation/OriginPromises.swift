import PromoWire

/// The waits that an origin may rely on: the gap after each attempt, and its own Retry-After.
///
/// A wait ends as soon as it has passed on either clock. If the wall clock shows more left of it than its longest length, the clock was
/// set back, and the wait no longer counts.
struct OriginPromises {
    private struct Wait {
        private(set) var real: Duration
        let wall: Timestamp

        init(_ duration: Duration, from clock: SimulatedClock) {
            real = clock.real + duration
            wall = clock.now + duration
        }

        func isOver(_ clock: SimulatedClock) -> Bool {
            clock.real >= real || clock.now >= wall
        }

        mutating func shorten(_ clock: SimulatedClock) {
            real = min(real, clock.real + (wall - clock.now))
        }
    }

    private let minimumGap: Duration
    private var gap: Wait?
    private var retryAfter: Wait?

    init(minimumGap: Duration) {
        self.minimumGap = minimumGap
    }

    mutating func attemptEnded(retryAfter wait: Duration?, at clock: SimulatedClock) {
        gap = Wait(minimumGap, from: clock)
        retryAfter = wait.map { Wait(min($0, .hours(24)), from: clock) }
    }

    mutating func attemptCancelled(at clock: SimulatedClock) {
        gap = Wait(minimumGap, from: clock)
    }

    mutating func clockWasSet(_ clock: SimulatedClock) {
        if let wait = gap, wait.wall > clock.now + minimumGap { gap = nil }
        if let wait = retryAfter, wait.wall > clock.now + .hours(24) { retryAfter = nil }
    }

    /// The machine has made a new plan, for which it knows only what is left of each wait on the wall clock.
    mutating func attemptWasPlanned(at clock: SimulatedClock) {
        gap?.shorten(clock)
        retryAfter?.shorten(clock)
    }

    /// The promises that a fetch would break if it began now.
    func broken(at clock: SimulatedClock) -> [String] {
        var broken: [String] = []
        if let gap, !gap.isOver(clock) { broken.append("a fetch within the minimum gap") }
        if let retryAfter, !retryAfter.isOver(clock) { broken.append("a fetch before the Retry-After was over") }
        return broken
    }
}
