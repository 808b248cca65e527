import PromoWire

/// Durations in words.
package enum Age {
    /// A unit of time.
    enum Unit: Int64, CaseIterable {
        case day = 86_400
        case hour = 3600
        case minute = 60
    }

    private static let moment = "a moment"

    /// A duration that has passed, rounded down to the largest unit that fits: `3 days`, `1 hour`, `5 minutes`, `a moment`.
    package static func text(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let unit = Unit.allCases.first { seconds >= $0.rawValue }
        return unit.map { (seconds / $0.rawValue).counting("\($0)") } ?? moment
    }

    /// A duration that remains, rounded up, so that no attempt comes too early: `7 days`, `25 hours`, `2 minutes`, `a moment`.
    package static func remaining(_ duration: Duration) -> String {
        let (whole, fraction) = duration.components
        let seconds = whole + (fraction > 0 ? 1 : 0)
        // The unit must fit twice or exactly once, or else one day and one hour would become two days.
        let unit =
            Unit.allCases.first { seconds >= 2 * $0.rawValue || seconds == $0.rawValue }
            ?? (seconds > 60 ? .minute : nil)
        return unit.map { ((seconds + $0.rawValue - 1) / $0.rawValue).counting("\($0)") } ?? moment
    }
}
