package import PromoWire

extension Timestamp {
    /// How far ahead of the clock a recorded time may be, since clocks differ and are set.
    static let tolerance = Duration.seconds(300)

    /// Whether something can have happened at this time: it is at most 5 minutes in the future.
    package func isBelievable(now: Timestamp) -> Bool { self <= now + Self.tolerance }
}
