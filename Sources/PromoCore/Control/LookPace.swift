/// When to look for drop-ins after something has changed: soon, but not again and again while much does.
package struct LookPace: Sendable {
    /// A file that comes is written meanwhile, and the others of its package come.
    private static let delay: Milliseconds = 20
    /// The shortest time from the beginning of a look to one that a change causes.
    private static let gap: Milliseconds = 500
    /// How many times as long as a look takes the next one is away, so that changes without end cost a twentieth of a processor.
    private static let share: Milliseconds = 20
    /// The time after which to look again if the last look failed for a reason that passes.
    private static let retry: Milliseconds = 10_000

    private var lookedAt: Milliseconds?
    private var gap = gap
    private var isPlanned = false

    /// Nobody has looked yet.
    package init() {}

    /// Something has changed.
    /// - Returns: after how long to look; nil if a look is planned already.
    package mutating func changed(now: Milliseconds) -> Milliseconds? {
        guard !isPlanned else { return nil }
        isPlanned = true
        return max(Self.delay, (lookedAt ?? now - gap) + gap - now)
    }

    /// A look could not read everything.
    /// - Returns: after how long to look again; nil if a look is planned already.
    package mutating func failed(now: Milliseconds) -> Milliseconds? {
        changed(now: now).map { max($0, Self.retry) }
    }

    /// The directories are read now, with every change so far.
    package mutating func looks(now: Milliseconds) {
        lookedAt = now
        isPlanned = false
    }

    /// What follows from the look has been done.
    package mutating func looked(now: Milliseconds) {
        gap = max(Self.gap, (now - (lookedAt ?? now)) * Self.share)
    }
}
