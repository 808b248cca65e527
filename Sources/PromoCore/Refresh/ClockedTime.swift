package import PromoWire

/// A time by the wall clock as it was set once, and the same moment by the wall clock as it is set now.
struct ClockedTime: Equatable, Sendable {
    private let original: Timestamp
    /// The moment by the clock as it is set now. The distance from now is what has passed, whatever the clock showed.
    private(set) var current: Timestamp

    init(_ time: Timestamp) {
        original = time
        current = time
    }

    /// The earlier of the two. What began then is no younger than it is, and what ends then ends no later than it would have. It is
    /// earlier than the moment if the clock was set forward, since it may have been wrong before.
    var earliest: Timestamp { min(original, current) }

    /// The wall clock was set forward, or back by a negative duration.
    mutating func clockSet(by step: Duration) {
        current = current + step
    }
}

/// A property whose time is the earlier of the two of a ``ClockedTime``.
@propertyWrapper package struct Clocked: Equatable, Sendable {
    private var time: ClockedTime?

    /// A time by the clock as it is set now.
    package init(wrappedValue: Timestamp?) { time = wrappedValue.map(ClockedTime.init) }

    package var wrappedValue: Timestamp? {
        get { time?.earliest }
        set { time = newValue.map(ClockedTime.init) }
    }

    mutating func clockSet(by step: Duration) { time?.clockSet(by: step) }
}
