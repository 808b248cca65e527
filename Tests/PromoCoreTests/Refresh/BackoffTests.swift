import PromoCore
import PromoTestSupport
import PromoWire
import Testing

@Suite struct BackoffTests {
    /// Floor 5 s, base 60 s, cap 1 h: min(cap, base · 2ⁿ), n from 0.
    @Test(arguments: [
        (1, Duration.minutes(1)), (2, .minutes(2)), (3, .minutes(4)), (4, .minutes(8)), (5, .minutes(16)),
        (6, .minutes(32)), (7, .hours(1)), (8, .hours(1)), (1_000_000_000, .hours(1)), (.max, .hours(1)),
    ])
    func ceilingDoublesUpToTheCap(failures: Int, ceiling: Duration) {
        #expect(Backoff().ceiling(failures: failures) == ceiling)
    }

    @Test(arguments: [0, -1, Int.min + 1])
    func withoutAFailureThatCountsTheCeilingIsTheBase(failures: Int) {
        #expect(Backoff().ceiling(failures: failures) == .minutes(1))
    }

    @Test(arguments: 1...10)
    func everyDelayLiesBetweenFloorAndCeiling(failures: Int) {
        let backoff = Backoff()
        var generator = SeededGenerator(seed: UInt64(failures))
        for _ in 0..<1000 {
            let delay = backoff.delay(failures: failures, using: &generator)
            #expect(delay >= .seconds(5) && delay <= backoff.ceiling(failures: failures))
        }
    }

    @Test(arguments: [1, 4, 9])
    func delaysFillTheWholeRangeEvenly(failures: Int) {
        let backoff = Backoff()
        let longest = backoff.ceiling(failures: failures)
        var generator = SeededGenerator(seed: 7)
        let delays = (0..<4000).map { _ in backoff.delay(failures: failures, using: &generator) }
        let tenths = Dictionary(grouping: delays) { Int(($0 - .seconds(5)) / (longest - .seconds(5)) * 9.999) }
        #expect(tenths.count == 10)
        #expect(tenths.values.allSatisfy { (300...500).contains($0.count) })
    }

    @Test func aBaseThatOverflowsGivesTheCap() {
        var backoff = Backoff()
        backoff.base = .milliseconds(Int64.max)
        #expect(backoff.ceiling(failures: 1) == .hours(1))
        #expect(backoff.ceiling(failures: 40) == .hours(1))
    }

    @Test func theFloorHoldsEvenAboveTheCap() {
        var backoff = Backoff()
        backoff.floor = .hours(2)
        var generator = SeededGenerator(seed: 3)
        #expect(backoff.ceiling(failures: 9) == .hours(2))
        #expect(backoff.delay(failures: 1, using: &generator) == .hours(2))
    }
}
