import PromoWire

/// The clocks of a machine that sleeps, and whose wall clock people set.
struct SimulatedClock {
    /// How long it has been, asleep or not.
    private(set) var real = Duration.zero
    /// How long the machine has been awake.
    private(set) var awake = Duration.zero
    /// What the wall clock says.
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
