import PromoWire

/// A time by the wall clock as it was set once, and the same moment by the wall clock as it is set now.
struct ClockedTime: Equatable, Sendable {
    private let original: Timestamp
    /// The moment by the clock as it is set now. The distance from now is what has passed, whatever the clock showed.
    private(set) var current: Timestamp

    init(_ time: Timestamp) {
        original = time
        current = time
    }

    /// The earlier of the two: the clock may have been wrong before it was set forward, and what a clock that was set back showed since
    /// the time was read has passed.
    var earliest: Timestamp { min(original, current) }

    /// The wall clock was set forward, or back by a negative duration.
    mutating func clockSet(by step: Duration) {
        current = current + step
    }
}
