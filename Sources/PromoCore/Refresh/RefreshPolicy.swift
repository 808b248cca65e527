import PromoWire

/// The configured durations by which a ``RefreshSchedule`` decides.
package struct RefreshPolicy: Equatable, Sendable {
    /// How long a catalog is fresh after a good reply has arrived.
    package var interval: Duration = .seconds(86_400)
    /// The longest pause after a first failure. It doubles with each further failure in a row.
    package var base: Duration = .seconds(60)
    /// The longest pause after any number of failures.
    package var cap: Duration = .seconds(3600)

    /// Creates the default policy.
    package init() {}

    /// The longest pause after n failures in a row, 1 or more: min(cap, base · 2ⁿ⁻¹).
    ///
    /// By default: 1 min, 2 min, 4 min, 8 min, 16 min, 32 min, then 1 h.
    package func longestPause(failures: Int) -> Duration {
        // The exponent is clamped before the shift. A product that still overflows exceeds any cap.
        let doublings = min(max(failures - 1, 0), 30)
        let (grown, overflow) = base.milliseconds.multipliedReportingOverflow(by: 1 << doublings)
        return overflow ? cap : min(cap, .milliseconds(grown))
    }
}

/// The `Retry-After` of origins.
package enum RetryAfter {
    /// The longest delay that is honoured.
    package static let longest = Duration.seconds(86_400)
}
