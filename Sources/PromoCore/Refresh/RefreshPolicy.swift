package import PromoWire

/// The numbers that the refresh machine decides by.
package struct RefreshPolicy: Equatable, Sendable {
    /// How long a catalog is fresh.
    package var interval: Duration = .seconds(86_400)
    /// The longest random delay of a refresh that is due.
    package var spread: Duration = .seconds(300)
    /// How long after an attempt's end the next may begin, asked for or not.
    package var minimumGap: Duration = .seconds(2)
    /// The backoff after failures.
    package var backoff = Backoff()

    /// The policy of the defaults.
    package init() {}

    /// Whether a catalog fetched then is past its time, or its time cannot be believed.
    package func isExpired(fetchedAt: Timestamp, now: Timestamp) -> Bool {
        now >= fetchedAt + interval || !isBelievable(fetchedAt: fetchedAt, now: now)
    }

    /// Whether a time can be that of a fetch: it lies at most 5 minutes ahead of now, by which clocks differ.
    package func isBelievable(fetchedAt: Timestamp, now: Timestamp) -> Bool {
        fetchedAt <= now + .seconds(300)
    }
}

/// The delay before a retry: full jitter, so that many daemons that failed together do not come back together.
package struct Backoff: Equatable, Sendable {
    /// No delay is shorter.
    package var floor: Duration = .seconds(5)
    /// The longest first delay, doubled with each further failure.
    package var base: Duration = .seconds(60)
    /// No delay is longer.
    package var cap: Duration = .seconds(3600)

    /// The backoff of the defaults.
    package init() {}

    /// The longest delay after so many failures in a row, 1 or more: min(cap, base · 2ⁿ⁻¹), never under the floor.
    ///
    /// By the defaults: 1 min, 2 min, 4 min, 8 min, 16 min, 32 min, then 1 h.
    package func ceiling(failures: Int) -> Duration {
        // Clamped before the shift; what still overflows is over any cap.
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
