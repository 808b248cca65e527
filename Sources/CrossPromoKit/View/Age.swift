import PromoWire

/// Durations in words.
package enum Age {
    private static let units: [(name: String, seconds: Int64)] = [("day", 86_400), ("hour", 3600), ("minute", 60)]

    /// A duration that has passed, rounded down to the largest unit that fits: `3 days`, `1 hour`, `5 minutes`, `a moment`.
    package static func text(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        guard let unit = units.first(where: { seconds >= $0.seconds }) else { return "a moment" }
        return (seconds / unit.seconds).counting(unit.name)
    }

    /// A duration that remains, rounded up, so that no attempt comes too early: `7 days`, `25 hours`, `2 minutes`, `a moment`.
    package static func remaining(_ duration: Duration) -> String {
        let (whole, fraction) = duration.components
        let seconds = whole + (fraction > 0 ? 1 : 0)
        // The unit must fit twice or exactly once, or else one day and one hour would become two days.
        guard let unit = units.first(where: { seconds >= 2 * $0.seconds || seconds == $0.seconds }) else {
            return seconds > 60 ? ((seconds + 59) / 60).counting("minute") : "a moment"
        }
        return ((seconds + unit.seconds - 1) / unit.seconds).counting(unit.name)
    }
}
