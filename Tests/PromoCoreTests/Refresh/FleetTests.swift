import PromoCore
import PromoTestSupport
import PromoWire
import Synchronization
import Testing

/// What many machines do to one origin.
struct FleetTests {
    @Test func afterAColdStartTheBusiestMinuteIsAtMostTwelveTimesTheMeanAndFallsFromDayToDay() {
        let generator = Mutex(SeededGenerator(seed: 1))
        let draw: @Sendable (ClosedRange<Double>) -> Double = { range in
            generator.withLock { .random(in: range, using: &$0) }
        }
        let (machines, days) = (100_000, 5)
        var minutes = [Int](repeating: 0, count: days * 1440)
        for _ in 0..<machines {
            var schedule = RefreshSchedule(
                policy: RefreshPolicy(), hasOrigin: true, held: .nothing,
                now: .start + .seconds(60) * draw(0...1), random: draw)
            while let next = schedule.next, next.at < .start + .days(days) {
                minutes[Int((next.at - .start) / .minutes(1))] += 1
                _ = schedule.timerFired(now: next.at)
                schedule.succeeded(.unchanged, isWhole: false, now: next.at)
            }
        }
        let mean = Double(machines) / 1440
        // After the minute of the start.
        let busiest = (0..<days).map { day in minutes[(day * 1440 + 2)...].prefix(1440).max() ?? 0 }
        #expect(Double(busiest[0]) <= 12 * mean && Double(busiest[1]) <= 12 * mean, "\(busiest)")
        #expect(zip(busiest, busiest.dropFirst()).allSatisfy { $0 > $1 }, "\(busiest)")
    }
}
