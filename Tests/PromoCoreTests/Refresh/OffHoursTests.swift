@testable import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// The hours in which a machine is usually off, around which its refreshes are planned.
@Suite struct OffHoursTests {
    /// A midnight.
    private static let midnight = Timestamp.start - .milliseconds(Timestamp.start.milliseconds % 86_400_000)

    private static func at(_ day: Int, _ hour: Double) -> Timestamp {
        midnight + .days(day) + .milliseconds(Int64(hour * 3_600_000))
    }

    /// Lives of machines that are on from nine to five, and what they fetch.
    private func life(
        days: Range<Int>, seed: UInt64, isOff: (Int) -> Bool = { _ in false }, _ refresh: (Timestamp) -> Void,
        _ morning: (Int, Machine) -> Void = { _, _ in }
    ) throws {
        var machine = Machine.started(
            fetchedAt: Self.at(days.lowerBound, 8), now: Self.at(days.lowerBound, 9), seed: seed)
        for day in days where !isOff(day) {
            machine = try machine.restarted(now: Self.at(day, 9), seed: seed &* 1000 &+ UInt64(day))
            morning(day, machine)
            while let next = machine.next, next.at < Self.at(day, 17) {
                try machine.fetch(.unchanged, now: next.at)
                refresh(next.at)
            }
        }
    }

    @Test(arguments: UInt64(1)...200)
    func aMachineThatIsOnFromNineToFiveBeginsItsDaysWithAFreshCatalog(seed: UInt64) throws {
        var (stale, requests) = (0, 0)
        try life(days: 0..<12, seed: seed, { _ in requests += 1 }) { day, machine in
            if day >= 5, machine.isExpired(now: Self.at(day, 9)) { stale += 1 }
        }
        #expect(stale == 0)
        #expect((12...24).contains(requests))
    }

    @Test(arguments: UInt64(1)...50) func aWeekendTeachesTheMorningAlone(seed: UInt64) throws {
        var mornings = 0
        try life(days: 0..<26, seed: seed, isOff: { $0 % 7 > 4 }, { _ in }) { day, machine in
            if day > 7, day % 7 != 0, machine.isExpired(now: Self.at(day, 9)) { mornings += 1 }
        }
        #expect(mornings <= 2)
    }

    @Test func oneMissIsAnException() {
        let once = OffHours(nil, missed: Self.at(0, 20), now: Self.at(1, 8))
        #expect(once.hours(around: Self.at(1, 22)) == nil)
        let twice = OffHours(once, missed: Self.at(1, 23), now: Self.at(2, 9))
        #expect(twice.hours(around: Self.at(2, 22)) == Self.at(2, 20)..<Self.at(3, 9))
        #expect(twice.hours(around: Self.at(3, 9)) == nil)
        #expect(twice.hours(around: Self.at(3, 19.9)) == nil)
    }

    @Test func anotherStartAfterTheSameMissIsNoSecondMiss() {
        let once = OffHours(nil, missed: Self.at(0, 20), now: Self.at(1, 8))
        let again = OffHours(once, missed: Self.at(0, 20), now: Self.at(1, 8.2))
        #expect(again.hours(around: Self.at(1, 22)) == nil)
        let nextDay = OffHours(again, missed: Self.at(1, 20), now: Self.at(2, 8))
        #expect(nextDay.hours(around: Self.at(2, 22)) != nil)
    }

    /// The origin was down, and the machine was on.
    @Test func aRestartAfterAFailedAttemptIsNoMiss() throws {
        var machine = Machine.started(fetchedAt: Self.at(0, 8), now: Self.at(0, 9))
        let due = try #require(machine.next).at
        try machine.fetch(.failure, now: due)
        machine = try machine.restarted(now: due + .hours(5))
        #expect(machine.schedule.off == nil)
    }

    @Test func anotherTimeOfTheDayIsAnotherException() {
        let night = OffHours(nil, missed: Self.at(0, 20), now: Self.at(1, 8))
        let noon = OffHours(night, missed: Self.at(1, 12), now: Self.at(1, 13))
        #expect(noon.hours(around: Self.at(2, 12.5)) == nil)
    }

    @Test func theyAreForgottenAfterTwoWeeks() {
        let once = OffHours(nil, missed: Self.at(0, 20), now: Self.at(1, 8))
        let twice = OffHours(once, missed: Self.at(1, 20), now: Self.at(2, 8))
        #expect(twice.hours(around: Self.at(15, 22)) != nil)
        #expect(twice.hours(around: Self.at(16, 22)) == nil)
        let again = OffHours(twice, missed: Self.at(18, 22), now: Self.at(19, 8))
        #expect(again.hours(around: Self.at(19, 21)) != nil)
    }

    @Test func whatAClockThatWasAheadTaughtIsNotUsed() {
        let once = OffHours(nil, missed: Self.at(9000, 20), now: Self.at(9001, 8))
        let twice = OffHours(once, missed: Self.at(9001, 20), now: Self.at(9002, 8))
        #expect(twice.hours(around: Self.at(1, 22)) == nil)
    }

    @Test(arguments: UInt64(1)...50) func aWeekBetweenRefreshesIsPlannedIntoTheHoursThatItIsOn(seed: UInt64) throws {
        var policy = RefreshPolicy()
        policy.interval = .days(7)
        policy.spread = .days(7)
        let once = OffHours(nil, missed: Self.at(-2, 17), now: Self.at(-1, 9))
        var schedule = RefreshSchedule()
        schedule.off = OffHours(
            OffHours(nil, missed: Self.at(-3, 20), now: Self.at(-2, 9)), missed: Self.at(-2, 20), now: Self.at(-1, 9))
        let off = try #require(schedule.off)
        let machine = Machine.started(
            policy, fetchedAt: Self.at(0, 12), schedule: schedule, now: Self.at(0, 12), seed: seed)
        #expect(off.hours(around: try #require(machine.next).at - .milliseconds(1)) == nil)
        #expect(once.hours(around: Self.at(0, 18)) == nil)
    }

    /// When a catalog that was fetched at an hour is refreshed, if the machine was off at these hours of two days.
    private func due(
        fetchedAt hour: Double, off: [ClosedRange<Double>], spread: Duration = .hours(6), seed: UInt64
    ) throws -> Timestamp {
        var policy = RefreshPolicy()
        policy.spread = spread
        var schedule = RefreshSchedule()
        for (day, hours) in zip([-3, -2], off) {
            schedule.off = OffHours(
                schedule.off, missed: Self.at(day, hours.lowerBound), now: Self.at(day, hours.upperBound))
        }
        let now = Self.at(0, hour)
        return try #require(
            Machine.started(policy, fetchedAt: now, schedule: schedule, now: now, seed: seed).next
        ).at
    }

    /// At noon, by default for 3:36 to 9:36.
    @Test(arguments: UInt64(1)...50) func aCatalogThatLastsUntilTheirEndIsRefreshedAfterThem(seed: UInt64) throws {
        let due = try due(fetchedAt: 12, off: [20...30, 20...30], seed: seed)
        #expect((Self.at(1, 6)...Self.at(1, 9.6)).contains(due))
    }

    @Test(arguments: UInt64(1)...50) func aCatalogThatDoesNotIsRefreshedBeforeThem(seed: UInt64) throws {
        let due = try due(fetchedAt: 12, off: [22...34, 22...34], seed: seed)
        #expect((Self.at(0, 17)...Self.at(0, 22)).contains(due))
    }

    @Test(arguments: UInt64(1)...50) func aCatalogThatCameShortlyBeforeThemIsRefreshedAfterThem(seed: UInt64) throws {
        let due = try due(fetchedAt: 11, off: [12...24, 20...32], seed: seed)
        #expect((Self.at(1, 8)...Self.at(1, 8.6)).contains(due))
    }

    @Test func withoutASpreadTheyPlayNoPart() throws {
        let due = try due(fetchedAt: 12, off: [22...34, 22...34], spread: .zero, seed: 1)
        #expect(due == Self.at(0, 12) + .planned)
    }

    @Test func theyAreNeverMoreThanTwentyHours() {
        var off: OffHours?
        for day in 0..<40 {
            // Each day the machine goes off an hour earlier.
            let hour = 23 - Double(day % 20)
            let missed = OffHours(off, missed: Self.at(day, hour), now: Self.at(day + 1, 8))
            off = missed
            if let hours = missed.hours(around: Self.at(day + 1, 7)) {
                #expect(hours.upperBound - hours.lowerBound <= .hours(20))
            }
        }
    }

    @Test func aFetchInTheseHoursEndsThem() throws {
        let once = OffHours(nil, missed: Self.at(-2, 20), now: Self.at(-1, 8))
        var schedule = RefreshSchedule()
        schedule.off = OffHours(once, missed: Self.at(-1, 20), now: Self.at(0, 8))
        var machine = Machine.started(fetchedAt: nil, schedule: schedule, now: Self.at(0, 22))
        try machine.fetch(.updated, now: Self.at(0, 22))
        #expect(machine.schedule.off == nil)
    }

    @Test func theySurviveARestart() throws {
        let once = OffHours(nil, missed: Self.at(0, 20), now: Self.at(1, 8))
        var schedule = RefreshSchedule()
        schedule.off = OffHours(once, missed: Self.at(1, 20), now: Self.at(2, 8))
        #expect(RefreshSchedule(fileBytes: schedule.fileBytes) == schedule)
    }

    @Test(arguments: [
        #"{"begin":2,"end":1}"#, #"{"begin":"x"}"#, "7",
        #"{"begin":"2026-01-01T00:00:00Z","end":"2026-03-01T00:00:00Z","usual":true}"#,
        #"{"begin":"2026-01-01T00:00:00Z","end":"2026-01-01T00:00:00Z","usual":true}"#,
    ]) func anythingElseInTheFileIsIgnored(text: String) throws {
        let schedule = try #require(RefreshSchedule(fileBytes: Array(#"{"attempt":0,"off":\#(text)}"#.utf8)))
        #expect(schedule.off == nil)
    }
}
