import PromoCore
import PromoWire
import Testing

/// Setting the clock never makes a wait longer.
@Suite struct ClockTests {
    /// The start of the test, on a clock that was set back by ten years.
    private let past = Timestamp.start - .days(3650)

    private func failedOnce(fetchedAt: Timestamp? = nil) throws -> Machine {
        var machine = Machine.started(.exact, fetchedAt: fetchedAt)
        try machine.fetch(.failure(retryAfter: .hours(1)), now: .start)
        return machine
    }

    @Test func anElapsedWaitFetchesWhateverTheWallClockShows() throws {
        var machine = Machine.started(.exact, fetchedAt: .start)
        let wall = machine.timerFired(elapsed: false, now: .start + .hours(14))
        #expect(wall == .none)
        let elapsed = machine.timerFired(elapsed: true, now: .start + .hours(14))
        #expect(elapsed.fetch != nil)
    }

    @Test func anElapsedWaitFetchesEvenIfTheClockIsYearsBack() throws {
        var machine = Machine.started(.exact, fetchedAt: .start)
        let elapsed = machine.timerFired(elapsed: true, now: past)
        #expect(elapsed.fetch != nil)
    }

    @Test func aClockSetForwardFetchesWithinTheSpread() throws {
        var machine = Machine.started(fetchedAt: .start)
        let now = Timestamp.start + .days(400)
        _ = machine.timerFired(elapsed: false, now: now)
        let next = try #require(machine.next)
        #expect(next.at >= now && next.at <= now + .hours(6))
    }

    @Test func aStartOnAClockSetBackForgetsTheWaits() throws {
        let machine = try failedOnce().restarted(now: past)
        #expect(machine.schedule.notBefore == nil)
        #expect(machine.schedule.retryAfter == nil)
        #expect(machine.schedule.lastEndAt == nil)
        #expect(machine.plan == Plan(.startup, at: past))
    }

    @Test func aStartOnAClockSetBackALittleKeepsPossibleWaits() throws {
        let now = Timestamp.start - .seconds(1)
        let machine = try failedOnce().restarted(now: now)
        #expect(machine.schedule.retryAfter == .start + .hours(1))
        #expect(machine.plan == Plan(.retryAfter, at: .start + .hours(1)))
    }

    @Test func aBackoffIsForgottenOnceItIsLongerThanItsCeiling() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure, now: .start)
        #expect(try machine.restarted(now: .start - .seconds(1)).next?.reason == .retry)
        #expect(try machine.restarted(now: .start - .milliseconds(1001)).next?.reason == .startup)
    }

    @Test(arguments: [Duration.minutes(5), .minutes(5) + .milliseconds(1)])
    func aCatalogFromOver5MinutesAheadIsExpired(ahead: Duration) throws {
        let machine = Machine.started(.exact, fetchedAt: .start + ahead)
        let isExpired = ahead > .minutes(5)
        #expect(machine.isExpired(now: .start) == isExpired)
        #expect(machine.next?.at == (isExpired ? .start : .start + ahead + .planned))
    }

    @Test func aTimerForgetsTheWaitsOfTheFuture() throws {
        var machine = try failedOnce()
        _ = machine.timerFired(elapsed: false, now: past)
        #expect(machine.schedule.notBefore == nil && machine.schedule.retryAfter == nil)
        #expect(machine.schedule.lastEndAt == nil)
    }

    @Test func aRefreshByHandIsNotThrottledByTheFuture() throws {
        var machine = try failedOnce()
        let request = machine.refreshRequested(now: past)
        #expect(request.fetch != nil)
    }

    @Test func aClearOnAClockSetBackFetchesAtOnce() throws {
        var machine = try failedOnce(fetchedAt: .start - .hours(25))
        machine.cleared(now: past)
        #expect(machine.plan == Plan(.startup, at: past))
    }

    @Test func aReloadOnAClockSetBackFetchesAtOnce() throws {
        var machine = try failedOnce()
        machine.configured(.exact, fetchedAt: nil, now: past)
        #expect(machine.plan == Plan(.startup, at: past))
    }

    @Test func theNetworkOnAClockSetBackEndsTheBackoff() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure, now: .start)
        machine.networkAppeared(now: past)
        let next = try #require(machine.next)
        #expect(next.reason == .network)
        #expect(next.at >= past + .seconds(1) && next.at <= past + .seconds(2))
    }

    @Test func theNetworkOnAClockSetBackALittleEndsTheBackoff() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure, now: .start)
        let now = Timestamp.start - .minutes(30)
        machine.networkAppeared(now: now)
        #expect(try #require(machine.next).at <= now + .seconds(2))
    }

    @Test func theNetworkTwiceOnAClockSetBackInBetween() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure, now: .start)
        machine.networkAppeared(now: .start + .seconds(5))
        #expect(machine.next?.reason == .network)
        machine.networkAppeared(now: past)
        #expect(try #require(machine.next).at <= past + .seconds(2))
    }

    @Test func aFetchThatEndsOnAClockSetBackIsPlannedFromThere() throws {
        var machine = Machine.started(.exact)
        let id = try machine.begin(now: .start)
        _ = machine.fetchEnded(id, .updated, now: past)
        #expect(machine.fetchedAt == past)
        #expect(machine.plan == Plan(.expiry, at: past + .planned))
    }
}
