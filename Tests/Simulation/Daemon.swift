import PromoTestSupport
import PromoWire

/// One of the fleet, and its computer.
struct Daemon: Sendable {
    /// How many daemons share the address of the building.
    static let building = 2000

    let index: Int
    /// How long after the hour its user is there.
    let tardiness: Duration
    /// When its catalog was fetched before the simulation; nil if it has none.
    private(set) var fetchedAt: Timestamp?
    /// A random number from 0 to 1, for what the scenario spreads.
    let share: Double
    /// Where its further random numbers begin.
    let seed: UInt64

    var isInBuilding: Bool { index < Self.building }

    init(_ index: Int, in scenario: Scenario, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self.index = index
        tardiness = .milliseconds(Int64.random(in: 0..<60_000, using: &generator))
        share = Double.random(in: 0...1, using: &generator)
        self.seed = generator.next()
        guard let ages = scenario.ages, let first = scenario.sessions(self).first else { return }
        fetchedAt = first.begin - ages.lowerBound - (ages.upperBound - ages.lowerBound) * share
    }
}
