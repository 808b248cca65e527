/// A point on the wall clock, in milliseconds since 1970-01-01T00:00:00Z without leap seconds.
///
/// The wall clock counts the time that a machine sleeps, which is what the age of a catalog needs.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since the Unix epoch; negative before it.
    package var milliseconds: Int64

    /// A time so many milliseconds after the Unix epoch.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// A time so many seconds after the Unix epoch, kept within what 64 bits of milliseconds can say.
    package init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        self.milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The time after a duration, kept within what 64 bits of milliseconds can say.
    package static func + (time: Timestamp, duration: Duration) -> Timestamp {
        let (sum, overflow) = time.milliseconds.addingReportingOverflow(duration.milliseconds)
        return Timestamp(milliseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// The time before which a duration has to pass to reach this one.
    package static func - (time: Timestamp, duration: Duration) -> Timestamp {
        time + (.zero - duration)
    }

    /// The duration from one time to a later one; negative when the second lies after the first.
    package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        let (difference, overflow) = later.milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        return .milliseconds(overflow ? (later < earlier ? .min : .max) : difference)
    }

    /// The last whole second that is not after this time, as it is written.
    package var roundedDownToSecond: Timestamp {
        let remainder = milliseconds % 1000
        return self - .milliseconds(remainder < 0 ? remainder + 1000 : remainder)
    }

    /// The first whole second that is not before this time, for an answer of the form "not before".
    package var roundedUpToSecond: Timestamp {
        let remainder = milliseconds % 1000
        guard remainder != 0 else { return self }
        return self + .milliseconds(remainder > 0 ? 1000 - remainder : -remainder)
    }
}

extension Duration {
    /// The whole milliseconds of the duration, rounded toward zero and kept within 64 bits.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
