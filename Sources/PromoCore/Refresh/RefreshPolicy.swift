import PromoWire

/// The configured durations by which the refresh machine decides.
package struct RefreshPolicy: Equatable, Sendable {
    /// How long a catalog is fresh after it was fetched or confirmed.
    package var interval: Duration = .seconds(86_400)
    /// How much earlier than the end of its time a catalog may be refreshed. Each daemon has a time in it of its own, its phase, so that
    /// the refreshes of many daemons are spread evenly, whatever they did together. At most the interval without ``margin`` counts.
    package var spread: Duration = .seconds(86_400)
    /// The shortest time between the end of an attempt and the next one, even if a client asks for it.
    package var minimumGap: Duration = .seconds(2)
    /// The backoff after failures.
    package var backoff = Backoff()

    /// Creates the default policy.
    package init() {}

    /// The part of the interval before the expiry in which no refresh is planned, so that there is time for further attempts, by default
    /// 2.4 hours.
    private var margin: Duration { interval / 10 }

    /// The part of the spread that counts.
    package var usableSpread: Duration { min(spread, interval - margin) }

    /// When a catalog that was fetched at a time is to be refreshed: at the last time of the phase before the margin. If the machine is
    /// usually off then, when it is on again, if the catalog lasts until then, else before it goes off.
    func dueAt(fetchedAt: Timestamp, phase: RefreshPhase?, off: OffHours?) -> Timestamp {
        let due = dueAt(fetchedAt: fetchedAt, phase: phase)
        // Those who share the hours have neighbouring phases.
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

    /// The shortest time between two fetches that show the same loss of apps: long enough for a publisher to see a mistake.
    package var secondLook: Duration { min(.seconds(3600), interval) }

    /// The longest random delay of a refresh that was due while the daemon did not run or the machine was suspended, by default 5.4
    /// hours. Many daemons start together: at nine o'clock, or when the power comes back. A machine that is never on that long misses
    /// its delays; each miss quarters the next one, and after four there is none.
    func longestStartDelay(missed count: Int) -> Duration {
        count < 4 ? usableSpread / 4 / (1 << (2 * count)) : .zero
    }

    /// The longest random delay that hides nothing from a person and still keeps daemons apart, by default a minute.
    var longestShortDelay: Duration { min(backoff.base, usableSpread) }

    /// The longest random delay after a backoff or a Retry-After, which ends for many daemons together.
    ///
    /// A fleet cannot fail so often in a row for reasons of its own, so after the third failure, and after each Retry-After, a daemon
    /// that has a catalog waits by default up to 11 hours more. One without a catalog does not wait.
    func longestRetryDelay(failures: Int, isRetryAfter: Bool, hasCatalog: Bool) -> Duration {
        guard hasCatalog else { return isRetryAfter ? longestShortDelay : .zero }
        return isRetryAfter || failures > Self.quickRetries ? usableSpread / 2 : .zero
    }

    /// How many failures in a row are retried without a spread, since they may be the machine's own. They show to nobody, as the plan
    /// leaves the margin for them.
    private static let quickRetries = 2

    /// The delay after the first answer that there is nothing at the address, which may be a mistake that the publisher repairs: as long
    /// as the margin allows, by default about two hours, so that it does not show.
    /// - Parameter fetchedAt: nil without a catalog.
    func delayAfterFirstGone(fetchedAt: Timestamp?, now: Timestamp) -> ClosedRange<Duration> {
        let rest = fetchedAt.map { min($0 + interval - now, margin) - longestShortDelay } ?? .zero
        return rest > backoff.floor
            ? rest * 3 / 4...rest : backoff.floor...max(backoff.floor, min(backoff.cap, interval))
    }

    /// The longest delay before an attempt that follows answers that there is nothing at the address.
    func longestDelayAfterGone(answers: Int) -> Duration {
        answers > 1 ? interval : max(margin, backoff.floor, backoff.cap)
    }

    /// The shortest time between the end of an attempt and one that a client asks for, after so many in a row that clients asked for
    /// and that brought nothing new: a loop of them must not become a load.
    func gap(afterRequests count: Int) -> Duration {
        let doublings = min(max(count - Self.freeRequests, 0), 30)
        return max(minimumGap, min(minimumGap * (1 << doublings), Self.longestRequestGap))
    }

    /// How many requests in a row wait for ``minimumGap`` alone.
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
