/// When to read the drop-ins again after something has changed: soon, but not again and again while much does.
package struct DropInPace: Sendable {
    /// A file that comes is written meanwhile, and the others of its package come.
    private static let delay: Milliseconds = 20
    /// The shortest time from the beginning of a reading to one that a change causes.
    private static let gap: Milliseconds = 500
    /// How many times as long as a reading takes the next one is away, so that changes without end cost a twentieth of a processor.
    private static let share: Milliseconds = 20
    /// The time after which to read again if the last reading failed for a reason that passes.
    private static let retry: Milliseconds = 10_000

    private var beganAt: Milliseconds?
    private var gap = gap
    private var isPlanned = false

    /// Nothing was read yet.
    package init() {}

    /// Something has changed.
    /// - Returns: after how long to read; nil if that is planned already.
    package mutating func changed(now: Milliseconds) -> Milliseconds? {
        guard !isPlanned else { return nil }
        isPlanned = true
        return max(Self.delay, (beganAt ?? now - gap) + gap - now)
    }

    /// Something could not be read.
    /// - Returns: after how long to read again; nil if that is planned already.
    package mutating func failed(now: Milliseconds) -> Milliseconds? {
        changed(now: now).map { max($0, Self.retry) }
    }

    /// The directories are read now, with every change so far.
    package mutating func began(now: Milliseconds) {
        beganAt = now
        isPlanned = false
    }

    /// What follows from the reading has been done.
    package mutating func ended(now: Milliseconds) {
        gap = max(Self.gap, (now - (beganAt ?? now)) * Self.share)
    }
}
