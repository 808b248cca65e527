@testable import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// The machine is told that the clock was set: nothing becomes younger, and no wait becomes longer.
@Suite struct ClockSetTests {
    private static let steps: [Duration] = [.minutes(-1), .hours(-7), .days(-1), .days(-3650)]

    @Test(arguments: steps)
    func setBackTheCatalogIsAsOldAsBefore(step: Duration) {
        var machine = Machine.started(.exact, fetchedAt: .start)
        let now = Timestamp.start + .hours(23)
        machine.clockSet(by: step, now: now + step)
        #expect(machine.fetchedAt == .start + step)
        #expect(!machine.isExpired(now: now + step))
        #expect(machine.isExpired(now: now + step + .hours(1)))
        #expect(machine.plan == Plan(.expiry, at: .start + step + .planned))
    }

    @Test func setForwardTheCatalogIsOlder() {
        var machine = Machine.started(.exact, fetchedAt: .start)
        machine.clockSet(by: .days(2), now: .start + .days(2))
        #expect(machine.fetchedAt == .start)
        #expect(machine.isExpired(now: .start + .days(2)))
        #expect(machine.plan == Plan(.expiry, at: .start + .planned))
    }

    @Test func aRefreshThatTheClockMakesDueWaitsForTheGap() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.updated, now: .start)
        let now = Timestamp.start + .hours(24)
        machine.clockSet(by: .hours(24), now: now)
        let action = machine.timerFired(elapsed: false, now: now)
        #expect(action == .none)
        #expect(machine.plan == Plan(.expiry, at: now + .seconds(2)))
    }

    @Test func aClockThatGoesBackAndForthChangesNothing() {
        var machine = Machine.started(.exact, fetchedAt: .start)
        let (plan, schedule) = (machine.plan, machine.schedule)
        for _ in 0..<1000 {
            machine.clockSet(by: .hours(-1), now: .start)
            machine.clockSet(by: .hours(1), now: .start + .hours(1))
        }
        #expect(machine.plan == plan)
        #expect(machine.fetchedAt == .start)
        #expect(machine.schedule == schedule)
    }

    @Test func reloadsInBetweenAddNothing() {
        var machine = Machine.started(.exact, fetchedAt: .start)
        for _ in 0..<1000 {
            machine.clockSet(by: .hours(-1), now: .start)
            machine.clockSet(by: .hours(1), now: .start + .hours(1))
            machine.configured(.exact, fetchedAt: machine.fetchedAt, now: .start + .hours(1))
        }
        #expect(machine.fetchedAt == .start)
        #expect(machine.plan == Plan(.expiry, at: .start + .planned))
    }

    @Test func norDoReloadsWhileItIsSetBack() {
        var machine = Machine.started(.exact, fetchedAt: .start)
        for _ in 0..<1000 {
            machine.clockSet(by: .hours(-1), now: .start)
            machine.configured(.exact, fetchedAt: machine.fetchedAt, now: .start)
            machine.clockSet(by: .hours(1), now: .start + .hours(1))
        }
        #expect(machine.fetchedAt == .start)
        // What was planned on the clock that was set back stays planned, since no step makes a wait longer.
        #expect(machine.plan == Plan(.expiry, at: .start + .planned - .hours(1)))
    }

    @Test(arguments: steps)
    func setBackTheWaitsForTheOriginLastAsLong(step: Duration) throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure(retryAfter: .hours(1)), now: .start)
        let planned = try #require(machine.plan)
        for _ in 0..<100 {
            machine.clockSet(by: step, now: .start + step)
            let expected = Plan(planned.reason, at: planned.at + step)
            #expect(machine.schedule.retryAfter == .start + step + .hours(1))
            #expect(machine.plan == expected)
            let request = machine.refreshRequested(now: .start + step + .minutes(59))
            #expect(request == .throttle(until: .start + step + .hours(1)))
            machine.clockSet(by: .zero - step, now: .start)
            #expect(machine.plan == planned)
        }
    }

    @Test func whatTheScheduleRemembersMovesWithTheClock() {
        var schedule = RefreshSchedule()
        (schedule.lastAttemptAt, schedule.lastEndAt) = (.start, .start)
        schedule.notBefore = .start + .hours(1)
        schedule.off = OffHours(nil, missed: .start - .hours(9), now: .start)
        schedule.clock = OriginClock(date: .start, ahead: .seconds(9))
        schedule.clockSet(by: .hours(-7))
        #expect(schedule.lastAttemptAt == .start - .hours(7) && schedule.lastEndAt == .start - .hours(7))
        #expect(schedule.notBefore == .start - .hours(6))
        #expect(schedule.off == OffHours(nil, missed: .start - .hours(16), now: .start - .hours(7)))
        // How far the clocks are apart is not known any more.
        #expect(schedule.clock == nil)
    }

    @Test func setForwardTheWaitsForTheOriginEndByTheClock() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure(retryAfter: .hours(1)), now: .start)
        machine.clockSet(by: .minutes(61), now: .start + .minutes(61))
        let request = machine.refreshRequested(now: .start + .minutes(62))
        #expect(request.fetch != nil)
    }

    @Test(arguments: steps + [.minutes(1), .days(3650)])
    func theGapLastsAsLong(step: Duration) throws {
        var policy = RefreshPolicy.exact
        policy.minimumGap = .minutes(1)
        var machine = Machine.started(policy)
        try machine.fetch(.updated, now: .start)
        machine.clockSet(by: step, now: .start + step)
        let request = machine.refreshRequested(now: .start + step + .seconds(1))
        #expect(request == .join)
        #expect(machine.plan == Plan(.startup, at: .start + step + .minutes(1)))
        machine.clockSet(by: .days(1), now: .start + step + .days(1))
        #expect(machine.plan == Plan(.startup, at: .start + step + .days(1) + .minutes(1)))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func noSequenceOfStepsMakesACatalogYounger(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var machine = Machine.started(fetchedAt: .start)
        var (now, passed) = (Timestamp.start, Duration.zero)
        for _ in 0..<100 {
            let pause = Duration.seconds(Int.random(in: 0...3600, using: &generator))
            passed += pause
            now = now + pause
            let step = Duration.seconds(Int.random(in: -200_000...200_000, using: &generator))
            now = now + step
            machine.clockSet(by: step, now: now)
            let age = machine.fetchedAt.map { now - $0 } ?? .zero
            #expect(age >= passed)
            #expect(machine.isExpired(now: now) == (age >= .hours(24)))
        }
    }
}
