import PromoCore
import PromoWire
import Testing

/// An origin's Retry-After is honoured.
@Suite struct RetryAfterPromiseTests {
    private func refused(_ retryAfter: Duration, fetchedAt: Timestamp? = nil) throws -> Machine {
        var machine = Machine.started(.exact, fetchedAt: fetchedAt)
        try machine.fetch(.failure(retryAfter: retryAfter), now: .start)
        return machine
    }

    @Test func itDelaysTheNextAttempt() throws {
        let machine = try refused(.hours(3))
        #expect(machine.plan == Plan(.retryAfter, at: .start + .hours(3)))
    }

    @Test func itIsALowerBoundAndALongerBackoffWins() throws {
        let machine = try refused(.seconds(30))
        #expect(machine.plan == Plan(.retry, at: .start + .minutes(1)))
    }

    @Test(arguments: [Duration.hours(24), .hours(24) + .seconds(1), .days(365), .seconds(Int64.max)])
    func itIsHonouredFor24HoursAtMost(retryAfter: Duration) throws {
        #expect(try refused(retryAfter).next?.at == .start + .hours(24))
    }

    @Test func itSurvivesARestart() throws {
        let now = Timestamp.start + .hours(1)
        var machine = try refused(.hours(3)).restarted(now: now)
        #expect(machine.plan == Plan(.retryAfter, at: .start + .hours(3)))
        let request = machine.refreshRequested(now: now)
        #expect(request == .throttle(until: .start + .hours(3)))
    }

    @Test func itsLongestSurvivesARestartAtOnce() throws {
        var machine = Machine.started(.exact)
        let now = Timestamp.start + .milliseconds(1)
        try machine.fetch(.failure(retryAfter: .days(9)), now: now)
        let next = try #require(machine.restarted(now: now).next)
        #expect(next.reason == .retryAfter)
        #expect(next.at >= now + .hours(24) && next.at <= now + .hours(24) + .seconds(1))
    }

    @Test func itHoldsForAnExpiredCatalogAtAStart() throws {
        let machine = try refused(.hours(3), fetchedAt: .start - .days(2)).restarted(now: .start + .hours(1))
        #expect(machine.plan == Plan(.retryAfter, at: .start + .hours(3)))
    }

    @Test func aRefreshByHandDoesNotPassIt() throws {
        var machine = try refused(.hours(3))
        let early = machine.refreshRequested(now: .start + .hours(3) - .milliseconds(1))
        #expect(early == .throttle(until: .start + .hours(3)))
        #expect(machine.fetching == nil)
        let due = machine.refreshRequested(now: .start + .hours(3))
        #expect(due.fetch != nil)
    }

    @Test func theNetworkDoesNotPassIt() throws {
        var machine = try refused(.hours(3))
        machine.networkAppeared(now: .start + .hours(1))
        #expect(machine.plan == Plan(.retryAfter, at: .start + .hours(3)))
    }

    @Test func aReloadDoesNotPassIt() throws {
        var machine = try refused(.hours(3))
        machine.configured(.exact, fetchedAt: nil, now: .start + .hours(1))
        #expect(machine.plan == Plan(.retryAfter, at: .start + .hours(3)))
    }

    @Test func aLaterFailureWithoutItEndsIt() throws {
        var machine = try refused(.seconds(90))
        let now = Timestamp.start + .seconds(90)
        try machine.fetch(.failure, now: now)
        #expect(machine.schedule.retryAfter == nil)
        #expect(machine.plan == Plan(.retry, at: now + .minutes(1)))
    }

    @Test func zeroIsNotAWait() throws {
        var machine = try refused(.zero)
        #expect(machine.plan == Plan(.retry, at: .start + .minutes(1)))
        let request = machine.refreshRequested(now: .start + .seconds(2))
        #expect(request.fetch != nil)
    }
}
