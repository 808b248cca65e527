package import PromoWire

/// The configured durations by which the refresh machine decides.
package struct RefreshPolicy: Equatable, Sendable {
    /// How long a catalog is fresh after it was fetched or confirmed.
    package var interval: Duration = .seconds(86_400)
    /// The longest random delay of a refresh that is due.
    package var spread: Duration = .seconds(300)
    /// The shortest time between the end of an attempt and the next one, even if a client asks for it.
    package var minimumGap: Duration = .seconds(2)
    /// The backoff after failures.
    package var backoff = Backoff()

    /// Creates the default policy.
    package init() {}

    /// Whether a catalog that was fetched at a time has expired, or that time is not believable.
    package func isExpired(fetchedAt: Timestamp, now: Timestamp) -> Bool {
        now >= fetchedAt + interval || !isBelievable(fetchedAt: fetchedAt, now: now)
    }

    /// Whether a catalog can have been fetched at a time: it is at most 5 minutes in the future, since clocks may differ.
    package func isBelievable(fetchedAt: Timestamp, now: Timestamp) -> Bool {
        fetchedAt <= now + .seconds(300)
    }
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
