/// A point on the wall clock, in milliseconds since 1970-01-01T00:00:00Z without leap seconds.
///
/// Times are those of the wall clock, because the age of a catalog includes the time in which the machine was suspended.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since the Unix epoch; negative before it.
    package var milliseconds: Int64

    /// Creates a time from milliseconds since the Unix epoch.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Creates a time from seconds since the Unix epoch, clamped to what 64 bits of milliseconds can hold.
    package init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        self.milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The time after a duration has passed, clamped to what 64 bits of milliseconds can hold.
    package static func + (time: Timestamp, duration: Duration) -> Timestamp {
        let (sum, overflow) = time.milliseconds.addingReportingOverflow(duration.milliseconds)
        return Timestamp(milliseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// The time that is earlier by a duration, clamped to what 64 bits of milliseconds can hold.
    package static func - (time: Timestamp, duration: Duration) -> Timestamp {
        time + (.zero - duration)
    }

    /// The duration from the right time to the left one; negative if the right one is later.
    package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        let (difference, overflow) = later.milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        return .milliseconds(overflow ? (later < earlier ? .min : .max) : difference)
    }

    /// The last whole second that is not after this time, as ``rfc3339`` shows it.
    package var roundedDownToSecond: Timestamp {
        let remainder = milliseconds % 1000
        return self - .milliseconds(remainder < 0 ? remainder + 1000 : remainder)
    }

    /// The first whole second that is not before this time, for a time before which a retry is not allowed.
    package var roundedUpToSecond: Timestamp {
        let remainder = milliseconds % 1000
        guard remainder != 0 else { return self }
        return self + .milliseconds(remainder > 0 ? 1000 - remainder : -remainder)
    }
}

extension Timestamp {
    /// How far ahead of the clock a recorded time may be, because clocks differ and are set.
    package static let tolerance = Duration.seconds(300)

    /// Whether the time can be that of a past event: it is at most 5 minutes in the future.
    package func isBelievable(now: Timestamp) -> Bool { self <= now + Self.tolerance }
}
