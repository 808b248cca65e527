/// When the review history may be written: at once after some quiet, but not without end as fast as clients ask.
package struct WritePace: Sendable {
    /// How many writes may follow each other at once.
    private static let burst: Milliseconds = 20
    /// The time in which one more becomes possible.
    private static let gap: Milliseconds = 250

    /// Up to when the time is used up by writes; nil before the first.
    private var used: Milliseconds?

    /// Nothing was written yet.
    package init() {}

    /// Takes a write if one is possible.
    /// - Returns: 0 if so, else after how long one will be possible.
    package mutating func take(now: Milliseconds) -> Milliseconds {
        let next = max(used ?? .min, now - Self.burst * Self.gap) + Self.gap
        guard next <= now else { return next - now }
        used = next
        return 0
    }
}
