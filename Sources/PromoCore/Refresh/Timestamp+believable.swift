package import PromoWire

extension Timestamp {
    /// How far ahead of the clock a recorded time may be, because clocks differ and are set.
    static let tolerance = Duration.seconds(300)

    /// Whether the time can be that of a past event: it is at most 5 minutes in the future.
    package func isBelievable(now: Timestamp) -> Bool { self <= now + Self.tolerance }
}
