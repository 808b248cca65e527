/// Spans of time in words.
package enum Age {
    /// `3 days`, `1 hour`, `5 minutes`, `a moment`: rounded down, in the largest unit that fits.
    package static func text(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        for (unit, length) in [("day", 86_400), ("hour", 3600), ("minute", 60)] as [(String, Int64)]
        where seconds >= length {
            let count = seconds / length
            return "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        return "a moment"
    }
}
