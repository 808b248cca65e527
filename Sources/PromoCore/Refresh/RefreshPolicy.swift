package import PromoWire

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

    private var usableSpread: Duration { min(spread, interval - margin) }

    /// When a catalog that was fetched at a time is to be refreshed: at the last time of the phase before the margin.
    func dueAt(fetchedAt: Timestamp, phase: RefreshPhase?) -> Timestamp {
        let latest = fetchedAt + (interval - margin)
        let spread = usableSpread.milliseconds
        guard spread > 0, let phase else { return latest }
        let early = (latest.milliseconds - phase.offset(in: spread)) % spread
        return Timestamp(milliseconds: latest.milliseconds - (early < 0 ? early + spread : early))
    }

    /// The shortest time between two fetches that show the same loss of apps: long enough for a publisher to see a mistake.
    package var secondLook: Duration { min(.seconds(3600), interval) }

    /// The longest random delay of a refresh that was due while the daemon did not run or the machine was suspended, by default 6
    /// hours. Many daemons start together: at nine o'clock, or when the power comes back.
    var longestStartDelay: Duration { usableSpread / 4 }

    /// The longest random delay that hides nothing from a person and still keeps daemons apart, by default a minute.
    var longestShortDelay: Duration { min(backoff.base, usableSpread) }

    /// The shortest and the longest random delay after a backoff or a Retry-After, which ends for many daemons together.
    ///
    /// A fleet cannot fail so often in a row for reasons of its own, so after the second failure, and after each Retry-After, a daemon
    /// that has a catalog waits by default up to 11 hours more. Two failures in a row show to nobody: without a Retry-After, the attempt
    /// after them comes before the catalog expires, but late, as those who failed together expire at different times. One without a
    /// catalog does not wait.
    /// - Parameters:
    ///   - earliest: the end of the backoff and of the Retry-After.
    ///   - fetchedAt: nil without a catalog.
    func retryDelay(
        failures: Int, isRetryAfter: Bool, earliest: Timestamp, fetchedAt: Timestamp?
    ) -> ClosedRange<Duration> {
        guard let fetchedAt else { return .zero...(isRetryAfter ? longestShortDelay : .zero) }
        guard isRetryAfter || failures > Self.quickRetries else { return .zero ... .zero }
        let (rest, spread) = (fetchedAt + interval - longestShortDelay - earliest, usableSpread / 2)
        guard !isRetryAfter, failures <= Self.hiddenFailures, .zero..<spread ~= rest else { return .zero...spread }
        return rest * 3 / 4...rest
    }

    /// How many failures in a row are retried without a spread, since they may be the machine's own.
    private static let quickRetries = 1
    /// After how many failures in a row there is another attempt before the catalog expires.
    private static let hiddenFailures = 2

    /// Whether a catalog that was fetched at a time has expired, or that time is not believable.
    package func isExpired(fetchedAt: Timestamp, now: Timestamp) -> Bool {
        now >= fetchedAt + interval || !Self.isBelievable(fetchedAt: fetchedAt, now: now)
    }

    /// Whether a catalog can have been fetched at a time: it is at most 5 minutes in the future, since clocks may differ.
    package static func isBelievable(fetchedAt: Timestamp, now: Timestamp) -> Bool {
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
