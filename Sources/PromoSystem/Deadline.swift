package import Dispatch

/// The end of a wait, on the monotonic clock, which stops while the machine is suspended.
package struct Deadline: Sendable {
    private let end: SuspendingClock.Instant?

    /// The deadline of a wait that never times out.
    package static let never = Deadline(end: nil)

    /// The deadline of a wait that begins now.
    package static func after(_ duration: Duration) -> Deadline {
        Deadline(end: .now.advanced(by: duration))
    }

    /// The earlier of two deadlines.
    package static func earlier(_ one: Deadline, _ other: Deadline) -> Deadline {
        guard let end = one.end else { return other }
        return Deadline(end: other.end.map { min($0, end) } ?? end)
    }

    /// Whether this is ``never``.
    package var isNever: Bool { end == nil }

    /// Whether the deadline has passed.
    package var hasPassed: Bool { end.map { $0 <= .now } ?? false }

    /// The time for a timer of Dispatch, at most a day ahead; the distant future for ``never``.
    package var dispatchTime: DispatchTime { isNever ? .distantFuture : .now() + .milliseconds(Int(pollTimeout)) }

    /// The remaining time for `poll`, in milliseconds, rounded up, at most a day; -1 for ``never``.
    var pollTimeout: Int32 {
        guard let end else { return -1 }
        let (seconds, attoseconds) = SuspendingClock.Instant.now.duration(to: end).components
        let milliseconds =
            min(max(seconds, 0), 86_400) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(max(milliseconds, 0))
    }
}
