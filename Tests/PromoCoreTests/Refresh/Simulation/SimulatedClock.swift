import PromoWire

/// The clocks of a computer that is suspended at times, and whose wall clock is set.
struct SimulatedClock {
    /// The time since the start, including suspends.
    private(set) var real = Duration.zero
    /// The time since the start without suspends, as the monotonic clock shows it.
    private(set) var awake = Duration.zero
    /// The time that the wall clock shows.
    private(set) var now = Timestamp.start

    mutating func run(_ duration: Duration) {
        awake += duration
        sleep(duration)
    }

    mutating func sleep(_ duration: Duration) {
        real += duration
        now = now + duration
    }

    mutating func set(by duration: Duration) {
        now = now + duration
    }
}
