/// The end of a wait, on a clock that nobody sets and that pauses while the machine sleeps.
package struct Deadline: Sendable {
    private let end: SuspendingClock.Instant?

    /// A wait without an end.
    package static let never = Deadline(end: nil)

    /// The end of a wait that begins now.
    package static func after(_ duration: Duration) -> Deadline {
        Deadline(end: .now.advanced(by: duration))
    }

    /// The one of two that comes first.
    static func earlier(_ one: Deadline, _ other: Deadline) -> Deadline {
        guard let end = one.end else { return other }
        return Deadline(end: other.end.map { min($0, end) } ?? end)
    }

    /// Whether it never comes.
    var isNever: Bool { end == nil }

    /// Whether it has passed.
    package var hasPassed: Bool { end.map { $0 <= .now } ?? false }

    /// What is left for `poll`, in milliseconds rounded up; -1 for a wait without an end.
    var pollTimeout: Int32 {
        guard let end else { return -1 }
        let (seconds, attoseconds) = SuspendingClock.Instant.now.duration(to: end).components
        let milliseconds = min(seconds, 86_400) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(max(milliseconds, 0))
    }
}
