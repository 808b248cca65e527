/// When to read the drop-ins again after a change: soon, but seldom while changes go on.
package struct DropInPace: Sendable {
    /// The time after a change in which the file is written and the others of its package arrive.
    private static let delay: Milliseconds = 20
    /// The shortest time between the beginnings of two readings.
    private static let gap: Milliseconds = 500
    /// The gap after a long reading, in multiples of its time, so that endless changes cost a twentieth of a processor.
    private static let gapFactor: Milliseconds = 20
    /// The longest gap: a machine that was paused during a reading must not stay deaf for twenty times as long.
    private static let longestGap: Milliseconds = 10_000
    /// The time until another attempt if the last reading failed for a temporary reason.
    private static let retry: Milliseconds = 10_000

    private var beganAt: Milliseconds?
    private var gap = gap
    private var isPlanned = false

    /// Creates a pace before the first reading.
    package init() {}

    /// Something has changed.
    /// - Returns: the delay before the next reading; nil if one is planned already.
    package mutating func changed(now: Milliseconds) -> Milliseconds? {
        guard !isPlanned else { return nil }
        isPlanned = true
        return max(Self.delay, (beganAt ?? now - gap) + gap - now)
    }

    /// The last reading failed for a temporary reason.
    /// - Returns: the delay before the next reading; nil if one is planned already.
    package mutating func failed(now: Milliseconds) -> Milliseconds? {
        changed(now: now).map { max($0, Self.retry) }
    }

    /// A reading begins, which covers every change so far.
    package mutating func began(now: Milliseconds) {
        beganAt = now
        isPlanned = false
    }

    /// The reading has ended, and its consequences are carried out.
    package mutating func ended(now: Milliseconds) {
        gap = min(max(Self.gap, (now - (beganAt ?? now)) * Self.gapFactor), Self.longestGap)
    }
}
