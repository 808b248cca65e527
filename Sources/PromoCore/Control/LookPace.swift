/// When to look for drop-ins after something has changed: soon, but not again and again while much does.
package struct LookPace: Sendable {
    /// A file that comes is written meanwhile, and the others of its package come.
    private static let delay: Milliseconds = 20
    /// The shortest time from a look to one that a change causes.
    private static let gap: Milliseconds = 500

    private var lookedAt: Milliseconds?
    private var isPlanned = false

    /// Nobody has looked yet.
    package init() {}

    /// Something has changed.
    /// - Returns: after how long to look; nil if a look is planned already.
    package mutating func changed(now: Milliseconds) -> Milliseconds? {
        guard !isPlanned else { return nil }
        isPlanned = true
        return max(Self.delay, (lookedAt ?? now - Self.gap) + Self.gap - now)
    }

    /// The directories are read now, with every change so far.
    package mutating func looks(now: Milliseconds) {
        lookedAt = now
        isPlanned = false
    }
}
