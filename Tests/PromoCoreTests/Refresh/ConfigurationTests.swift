import PromoCore
import PromoWire
import Testing

/// Changes of the configuration.
@Suite struct ConfigurationTests {
    private let now = Timestamp.start + .hours(1)

    @Test func anotherOriginHasANewSchedule() throws {
        var machine = Machine.started(fetchedAt: .start - .days(2))
        try machine.fetch(.failure(retryAfter: .hours(9)), now: .start)
        machine.originChanged(.exact, schedule: RefreshSchedule(), fetchedAt: nil, now: now)
        #expect(machine.schedule.attempt == 0 && machine.schedule.retryAfter == nil)
        #expect(machine.fetchedAt == nil)
        #expect(machine.plan == Plan(.startup, at: now))
    }

    @Test func anOriginThatComesBackFindsItsScheduleAgain() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure(retryAfter: .hours(9)), now: .start)
        let schedule = machine.schedule
        machine.originChanged(.exact, schedule: nil, fetchedAt: nil, now: now)
        #expect(machine.next == nil)
        machine.originChanged(.exact, schedule: schedule, fetchedAt: nil, now: now)
        #expect(machine.plan == Plan(.retryAfter, at: .start + .hours(9)))
        #expect(machine.schedule == schedule)
    }

    @Test func anOriginThatComesBackInItsBackoffWaitsForItsEnd() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure, now: .start)
        let schedule = machine.schedule
        machine.originChanged(.exact, schedule: nil, fetchedAt: nil, now: .start + .seconds(9))
        machine.originChanged(.exact, schedule: schedule, fetchedAt: nil, now: .start + .seconds(10))
        #expect(machine.plan == Plan(.retry, at: .start + .minutes(1)))
    }

    @Test func anotherOriginCancelsTheFetchUnderWay() throws {
        var machine = Machine.started()
        let old = try machine.begin(now: now)
        machine.originChanged(RefreshPolicy(), schedule: RefreshSchedule(), fetchedAt: nil, now: now)
        #expect(machine.fetching == nil)
        let action = machine.timerFired(elapsed: false, now: now)
        #expect(action.fetch != nil && action.fetch != old)
    }

    @Test func theSameOriginKeepsScheduleAndCatalog() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.updated, now: .start)
        let schedule = machine.schedule
        machine.configured(.exact, fetchedAt: .start, now: now)
        #expect(machine.schedule == schedule)
        #expect(machine.plan == Plan(.expiry, at: .start + .planned))
    }

    @Test func theSameOriginKeepsTheFetchUnderWay() throws {
        var machine = Machine.started(.exact)
        let id = try machine.begin(now: .start)
        machine.configured(.exact, fetchedAt: nil, now: .start + .seconds(1))
        #expect(machine.fetching == id && machine.next == nil)
        let counted = machine.fetchEnded(id, .updated, now: .start + .seconds(2))
        #expect(counted)
        #expect(machine.next?.at == .start + .seconds(2) + .planned)
    }

    @Test func aShorterIntervalCountsAtOnce() {
        var machine = Machine.started(.exact, fetchedAt: .start)
        var policy = RefreshPolicy.exact
        policy.interval = .minutes(30)
        machine.configured(policy, fetchedAt: .start, now: now)
        #expect(machine.policy == policy)
        #expect(machine.isExpired(now: now))
        #expect(machine.next?.at == now)
    }

    @Test func aLongerIntervalCountsAtOnce() {
        var machine = Machine.started(.exact, fetchedAt: .start)
        var policy = RefreshPolicy.exact
        policy.interval = .days(7)
        machine.configured(policy, fetchedAt: .start, now: now)
        #expect(machine.next?.at == .start + .planned * 7)
    }

    @Test func aReloadEndsABackoffButKeepsItsCount() throws {
        var machine = Machine.started()
        let now = try machine.fail(times: 9, now: .start) + .seconds(2)
        machine.configured(RefreshPolicy(), fetchedAt: nil, now: now)
        #expect(machine.plan == Plan(.startup, at: now))
        #expect(machine.schedule.attempt == 9)
    }

    @Test(arguments: 1...20)
    func reloadsDoNotPutOffARefreshThatWasMissed(seed: UInt64) throws {
        var machine = Machine.started(fetchedAt: .start - .days(2), seed: seed)
        let planned = try #require(machine.next)
        var now = Timestamp.start
        while now < planned.at {
            machine.configured(RefreshPolicy(), fetchedAt: .start - .days(2), now: now)
            #expect(try #require(machine.next).at <= planned.at)
            now = now + .minutes(10)
        }
    }

    @Test func aReloadInABackoffKeepsTheMinimumGap() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure, now: .start)
        machine.configured(.exact, fetchedAt: nil, now: .start + .seconds(1))
        #expect(machine.next?.at == .start + .seconds(2))
    }

    @Test func aReloadAfterAClearKeepsTheMinimumGap() throws {
        var machine = Machine.started()
        try machine.fetch(.updated, now: .start)
        machine.cleared(now: .start)
        machine.configured(.exact, fetchedAt: nil, now: .start + .seconds(1))
        #expect(machine.next?.at == .start + .seconds(2))
    }

    @Test func theFirstOriginIsAskedAtOnce() {
        var machine = Machine.started(hasOrigin: false)
        machine.originChanged(RefreshPolicy(), schedule: RefreshSchedule(), fetchedAt: nil, now: now)
        #expect(machine.hasOrigin)
        #expect(machine.plan == Plan(.startup, at: now))
    }

    @Test func anOriginThatWasRemovedIsNoLongerAsked() throws {
        var machine = Machine.started()
        _ = try machine.begin(now: .start)
        machine.originChanged(RefreshPolicy(), schedule: nil, fetchedAt: nil, now: now)
        #expect(!machine.hasOrigin)
        #expect(machine.next == nil && machine.fetching == nil)
    }

    @Test func anOriginThatWasRemovedInABackoffIsNoLongerAsked() throws {
        var machine = Machine.started(.exact, fetchedAt: .start - .hours(25))
        try machine.fetch(.failure, now: .start)
        machine.originChanged(.exact, schedule: nil, fetchedAt: .start - .hours(25), now: .start + .seconds(9))
        #expect(machine.next == nil)
    }

    @Test func anotherOriginGetsAPhaseAndForgetsTimesOfAClockThatWasAhead() {
        var machine = Machine.started()
        var schedule = RefreshSchedule()
        schedule.lastEndAt = now + .days(1)
        machine.originChanged(RefreshPolicy(), schedule: schedule, fetchedAt: .start, now: now)
        #expect(machine.schedule.phase != nil && machine.schedule.lastEndAt == nil)
    }

    @Test func aCatalogOfTheNewOriginFromDiskIsServedByItsAge() {
        var machine = Machine.started()
        machine.originChanged(.exact, schedule: RefreshSchedule(), fetchedAt: .start, now: now)
        #expect(machine.plan == Plan(.expiry, at: .start + .planned))
    }
}
