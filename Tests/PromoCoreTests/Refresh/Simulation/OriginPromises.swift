import PromoWire

/// What the origin may rely on: the gap after each attempt and its own Retry-After.
///
/// Time is over when either clock says so. A wait that the wall clock shows to be longer than it could have been when it began
/// says that the clock was set back, and binds nobody.
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

    mutating func attemptGivenUp(at clock: SimulatedClock) {
        gap = Wait(minimumGap, from: clock)
    }

    mutating func clockWasSet(_ clock: SimulatedClock) {
        if let wait = gap, wait.wall > clock.now + minimumGap { gap = nil }
        if let wait = retryAfter, wait.wall > clock.now + .hours(24) { retryAfter = nil }
    }

    /// The machine planned anew: what the wall clock shows to be left is all that it can know of.
    mutating func attemptWasPlanned(at clock: SimulatedClock) {
        gap?.shorten(clock)
        retryAfter?.shorten(clock)
    }

    /// What a fetch that begins now breaks.
    func broken(at clock: SimulatedClock) -> [String] {
        var broken: [String] = []
        if let gap, !gap.isOver(clock) { broken.append("a fetch within the minimum gap") }
        if let retryAfter, !retryAfter.isOver(clock) { broken.append("a fetch before the Retry-After was over") }
        return broken
    }
}
