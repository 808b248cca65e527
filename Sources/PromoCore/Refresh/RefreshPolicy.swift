import PromoWire

/// The configured durations by which the refresh machine decides.
package struct RefreshPolicy: Equatable, Sendable {
    /// How long a catalog is fresh after it was fetched or confirmed.
    package var interval: Duration = .seconds(86_400)
    /// The period over which the refreshes of many daemons are spread evenly: each daemon has a place of its own in it, its phase. At most
    /// the interval without ``margin`` counts.
    package var spread: Duration = .seconds(86_400)
    /// The shortest time between the end of an attempt and the next one, even if a client asks for it.
    package var minimumGap: Duration = .seconds(2)
    /// The backoff after failures.
    package var backoff = Backoff()

    /// Creates the default policy.
    package init() {}

    /// The last part of the interval, in which no refresh is planned, so that there is time for retries; 2.4 hours by default.
    private var margin: Duration { interval / 10 }

    /// The part of the spread that counts.
    package var usableSpread: Duration { min(spread, interval - margin) }

    /// When a catalog is to be refreshed: at the last time of the phase before the margin. If the machine is usually off then, it is
    /// refreshed after the off hours if it lasts until their end, else before them.
    func dueAt(fetchedAt: Timestamp, phase: RefreshPhase?, off: OffHours?) -> Timestamp {
        let due = dueAt(fetchedAt: fetchedAt, phase: phase)
        // Daemons with the same off hours have neighbouring phases.
        guard let phase = phase?.scattered, usableSpread > .zero, let hours = off?.hours(around: due) else {
            return due
        }
        let after = fetchedAt + (interval - margin) - hours.upperBound
        let before = hours.lowerBound - fetchedAt
        let on = OffHours.day - (hours.upperBound - hours.lowerBound)
        func part(of window: Duration) -> Duration { .milliseconds(phase.offset(in: min(window, on).milliseconds)) }
        if before >= margin, after < margin { return hours.lowerBound - part(of: before / 2) }
        return after > .zero ? hours.upperBound + part(of: after) : due
    }

    private func dueAt(fetchedAt: Timestamp, phase: RefreshPhase?) -> Timestamp {
        let latest = fetchedAt + (interval - margin)
        let spread = usableSpread.milliseconds
        guard spread > 0, let phase else { return latest }
        let early = (latest.milliseconds - phase.offset(in: spread)) % spread
        return Timestamp(milliseconds: latest.milliseconds - (early < 0 ? early + spread : early))
    }

    /// The shortest time until a second fetch can confirm a loss of apps: long enough for a publisher to notice a mistake.
    package var secondLook: Duration { min(.seconds(3600), interval) }

    /// The longest random delay of a refresh that was due while the daemon did not run or the machine was suspended; 5.4 hours by
    /// default, because many daemons start together: at nine o'clock, or when the power comes back. A machine that is never on that long
    /// misses its delays; each miss quarters the next one, and after four there is none.
    func longestStartDelay(missed count: Int) -> Duration {
        count < 4 ? usableSpread / 4 / (1 << (2 * count)) : .zero
    }

    /// The longest random delay that keeps daemons apart and that a person hardly notices; a minute by default.
    var longestShortDelay: Duration { min(backoff.base, usableSpread) }

    /// The longest random delay after a backoff or a Retry-After, which ends for many daemons together.
    ///
    /// From the third failure in a row on, the origin is probably down for all daemons. So then, and after each Retry-After, a daemon
    /// that has a catalog waits up to 11 hours longer by default. One without a catalog waits up to a minute after a Retry-After.
    func longestRetryDelay(failures: Int, isRetryAfter: Bool, hasCatalog: Bool) -> Duration {
        guard hasCatalog else { return isRetryAfter ? longestShortDelay : .zero }
        return isRetryAfter || failures > Self.quickRetries ? usableSpread / 2 : .zero
    }

    /// The number of failures in a row that are retried without a spread, because they may be the machine's own. The margin hides them
    /// from people.
    private static let quickRetries = 2

    /// The delay after the first 404 or 410, which may be a mistake that the publisher repairs: as long as the catalog lasts, but at most
    /// about the margin; two hours by default.
    /// - Parameter fetchedAt: nil without a catalog.
    func delayAfterFirstGone(fetchedAt: Timestamp?, now: Timestamp) -> ClosedRange<Duration> {
        let rest = fetchedAt.map { min($0 + interval - now, margin) - longestShortDelay } ?? .zero
        return rest > backoff.floor
            ? rest * 3 / 4...rest : backoff.floor...max(backoff.floor, min(backoff.cap, interval))
    }

    /// The longest delay after several responses in a row with 404 or 410.
    func longestDelayAfterGone(answers: Int) -> Duration {
        answers > 1 ? interval : max(margin, backoff.floor, backoff.cap)
    }

    /// The shortest time between the end of an attempt and a requested one, after `count` requested attempts in a row that brought nothing
    /// new, so that a client in a loop does not load the origin.
    func gap(afterRequests count: Int) -> Duration {
        let doublings = min(max(count - Self.freeRequests, 0), 30)
        return max(minimumGap, min(minimumGap * (1 << doublings), Self.longestRequestGap))
    }

    /// The number of requests in a row that wait for ``minimumGap`` alone.
    private static let freeRequests = 5
    /// The longest gap that requests cause.
    static let longestRequestGap = Duration.seconds(300)
    /// The longest wait for the gap; a request that would wait longer is refused.
    var longestJoin: Duration { max(minimumGap, .seconds(30)) }
}

/// The delay before a retry, with full jitter, so that daemons that failed together do not retry together.
package struct Backoff: Equatable, Sendable {
    /// The shortest delay.
    package var floor: Duration = .seconds(5)
    /// The longest delay after the first failure. It doubles with each further failure.
    package var base: Duration = .seconds(60)
    /// The longest delay after any number of failures.
    package var cap: Duration = .seconds(3600)

    /// Creates the default backoff.
    package init() {}

    /// The longest delay after n failures in a row, 1 or more: min(cap, base · 2ⁿ⁻¹), but at least the floor.
    ///
    /// By default: 1 min, 2 min, 4 min, 8 min, 16 min, 32 min, then 1 h.
    package func ceiling(failures: Int) -> Duration {
        // The exponent is clamped before the shift. A product that still overflows exceeds any cap.
        let doublings = min(max(failures - 1, 0), 30)
        let (grown, overflow) = base.milliseconds.multipliedReportingOverflow(by: 1 << doublings)
        return max(floor, overflow ? cap : min(cap, .milliseconds(grown)))
    }

    /// A delay drawn uniformly from the floor to the ceiling.
    package func delay(failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let longest = ceiling(failures: failures).milliseconds
        return .milliseconds(Int64.random(in: min(floor.milliseconds, longest)...longest, using: &generator))
    }
}
