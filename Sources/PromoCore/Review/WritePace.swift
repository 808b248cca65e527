/// When the review history may be written: a burst of 20 writes at once, then one every 250 ms.
package struct WritePace: Sendable {
    /// The number of writes in a burst.
    private static let burst: Milliseconds = 20
    /// The time after which another write is possible.
    private static let gap: Milliseconds = 250

    /// The time up to which writes have used the allowance; nil before the first.
    private var used: Milliseconds?

    /// Creates a pace before the first write.
    package init() {}

    /// Takes a write if one is possible.
    /// - Returns: 0 if it is, else the time until it will be.
    package mutating func take(now: Milliseconds) -> Milliseconds {
        let next = max(used ?? .min, now - Self.burst * Self.gap) + Self.gap
        guard next <= now else { return next - now }
        used = next
        return 0
    }
}
