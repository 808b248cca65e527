package import PromoWire

/// A moment by the wall clock as it was set when the moment was recorded, and by the wall clock as it is set now.
struct ClockedTime: Equatable, Sendable {
    private let original: Timestamp
    /// The moment by the clock as it is set now, so that its distance from now is real time.
    private(set) var current: Timestamp

    init(_ time: Timestamp) {
        original = time
        current = time
    }

    /// The earlier of the two, so that a step of the clock makes nothing younger and no wait longer. If the clock was set forward, it may
    /// have been wrong before, so the time that was read counts.
    var earliest: Timestamp { min(original, current) }

    /// The wall clock was set forward, or back by a negative duration.
    mutating func clockSet(by step: Duration) {
        current = current + step
    }
}

/// A property that is the ``ClockedTime/earliest`` of a time.
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

extension Timestamp {
    /// How far ahead of the clock a recorded time may be, because clocks differ and are set.
    static let tolerance = Duration.seconds(300)

    /// Whether the time can be that of a past event: it is at most 5 minutes in the future.
    package func isBelievable(now: Timestamp) -> Bool { self <= now + Self.tolerance }
}
