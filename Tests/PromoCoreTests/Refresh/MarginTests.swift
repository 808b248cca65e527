import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// The time between the planned refresh and the expiry.
@Suite(.timeLimit(.minutes(5))) struct MarginTests {
    @Test(
        arguments: [Duration.seconds(1), .minutes(10), .hours(24), .days(30)],
        [Duration.zero, .seconds(1), .days(1), .days(90)])
    func itIsATenthOfTheIntervalOrMore(interval: Duration, spread: Duration) throws {
        var policy = RefreshPolicy()
        policy.interval = interval
        policy.spread = spread
        for seed in UInt64(1)...200 {
            let next = try #require(Machine.started(policy, fetchedAt: .start, seed: seed).next)
            #expect(next.at > .start && next.at <= .start + interval * 0.9)
        }
    }

    /// Ten thousand lives of fifteen refreshes, in which each fails once or twice, or not.
    @Test func aFailureOrTwoInARowShowToNobody() throws {
        var (failures, shown) = (0, 0)
        for seed in UInt64(1)...10_000 {
            var generator = SeededGenerator(seed: seed)
            var machine = Machine.started(fetchedAt: .start, seed: seed)
            for _ in 0..<15 {
                for _ in 0..<Int.random(in: 0...2, using: &generator) {
                    let now = try #require(machine.next).at
                    let id = try machine.begin(now: now)
                    // The longest that a fetch may take.
                    let counted = machine.fetchEnded(id, .failure, now: now + .seconds(30))
                    failures += counted ? 1 : 0
                }
                let now = try #require(machine.next).at
                let id = try machine.begin(now: now)
                if machine.isExpired(now: now + .seconds(20)) { shown += 1 }
                _ = machine.fetchEnded(id, .unchanged, now: now + .seconds(20))
            }
        }
        #expect(failures > 100_000 && shown == 0)
    }

    /// After the third failure, it is the origin that is down, and its fleet must not come back at once.
    @Test func afterTheThirdFailureTheNextAttemptIsSpreadOverHalfADay() throws {
        let times = try (1...200).map { seed in
            var machine = Machine.started(fetchedAt: .start, seed: UInt64(seed))
            let end = try machine.fail(times: 3, now: .start)
            return try #require(machine.next).at - end
        }
        #expect(times.max() ?? .zero > .hours(10) && times.min() ?? .zero < .hours(1))
    }
}
