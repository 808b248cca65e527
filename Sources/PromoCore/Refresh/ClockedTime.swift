import PromoWire

/// A time by the wall clock as it was set once, and the same moment by the wall clock as it is set now.
struct ClockedTime: Equatable, Sendable {
    private let original: Timestamp
    /// The moment by the clock as it is set now. The distance from now is what has passed, whatever the clock showed.
    private(set) var current: Timestamp
    /// The least time that the moment has had. Whoever reckons with it takes nothing for younger than it is.
    private(set) var least: Timestamp

    init(_ time: Timestamp) {
        original = time
        current = time
        least = time
    }

    /// The earlier of the times by the clock as it was set and as it is set now. A wait for it ends when it would have ended, or before
    /// if the clock was set forward: it may have been wrong.
    var earliest: Timestamp { min(original, current) }

    /// The wall clock was set forward, or back by a negative duration.
    mutating func clockSet(by step: Duration) {
        current = current + step
        least = min(least, current)
    }
}
