import PromoCore
import PromoWire
import Testing

/// A default route appears.
@Suite struct NetworkTests {
    /// A machine in a backoff after many failures, the last of them at `start`. The retry is due more than a minute later.
    private func backingOff(seed: UInt64 = 1, fetchedAt: Timestamp? = nil) throws -> Machine {
        var schedule = RefreshSchedule()
        schedule.attempt = 12
        var policy = RefreshPolicy()
        policy.backoff.floor = .minutes(2)
        var machine = Machine.started(policy, fetchedAt: fetchedAt, schedule: schedule, seed: seed)
        try machine.fetch(.failure, now: max(.start, try #require(machine.next).at))
        return machine
    }

    @Test(arguments: 1...40)
    func itEndsABackoffAfterASecondOfQuietAndALittleJitter(seed: UInt64) throws {
        var machine = try backingOff(seed: seed)
        let now = Timestamp.start + .seconds(30)
        machine.networkAppeared(now: now)
        let next = try #require(machine.next)
        #expect(next.reason == .network)
        #expect(next.at >= now + .seconds(1) && next.at <= now + .seconds(2))
        let early = machine.timerFired(elapsed: false, now: now + .milliseconds(999))
        #expect(early == .none)
        let due = machine.timerFired(elapsed: false, now: next.at)
        #expect(due.fetch != nil)
    }

    @Test func machinesOfOneNetworkDriftApart() throws {
        let times = try (1...100).map { (seed: UInt64) in
            var machine = try backingOff(seed: seed)
            machine.networkAppeared(now: .start + .seconds(30))
            return try #require(machine.next).at
        }
        #expect(Set(times).count > 80)
    }

    @Test func aStormIsWaitedOut() throws {
        var machine = try backingOff()
        for tick in 0..<50 {
            let now = Timestamp.start + .seconds(30) + .milliseconds(Int64(200 * tick))
            machine.networkAppeared(now: now)
            #expect(try #require(machine.next).at >= now + .seconds(1))
        }
    }

    @Test func aStormNeverDelaysTheRetry() throws {
        var machine = try backingOff()
        let due = try #require(machine.next).at
        var now = Timestamp.start + .seconds(30)
        while now < due {
            machine.networkAppeared(now: now)
            #expect(try #require(machine.next).at <= due)
            now = now + .milliseconds(300)
        }
        let action = machine.timerFired(elapsed: false, now: due)
        #expect(action.fetch != nil)
    }

    @Test func itKeepsTheMinimumGap() throws {
        var policy = RefreshPolicy.exact
        policy.minimumGap = .seconds(20)
        var machine = Machine.started(policy)
        try machine.fetch(.failure, now: .start)
        machine.networkAppeared(now: .start + .seconds(1))
        #expect(machine.plan == Plan(.network, at: .start + .seconds(20)))
    }

    @Test func anEarlierRetryStays() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure, now: .start)
        machine.networkAppeared(now: .start + .minutes(1) - .milliseconds(500))
        #expect(machine.next?.at == .start + .minutes(1))
    }

    @Test func aRetryAfterThatHasEndedDelaysNothing() throws {
        var schedule = RefreshSchedule()
        schedule.retryAfter = .start + .minutes(10)
        schedule.notBefore = .start + .minutes(40)
        schedule.attempt = 9
        var machine = Machine.started(schedule: schedule)
        machine.networkAppeared(now: .start + .minutes(20))
        #expect(machine.next?.reason == .network)
    }

    @Test(arguments: [Duration.hours(1), .hours(24), .hours(30)])
    func withoutABackoffItChangesNothing(age: Duration) {
        var machine = Machine.started(fetchedAt: .start - age)
        let planned = machine.next
        machine.networkAppeared(now: .start)
        #expect(machine.next == planned)
    }

    /// When power comes back in a building, each daemon starts, and its network appears seconds later.
    @Test func aBackoffThatIsOverLeavesTheSpreadOfAStart() throws {
        var machine = try backingOff(fetchedAt: .start - .days(1))
        let now = Timestamp.start + .days(1)
        machine = try machine.restarted(now: now)
        let planned = machine.next
        #expect(planned?.reason == .startup)
        machine.networkAppeared(now: now)
        #expect(machine.next == planned)
    }

    @Test func aBackoffThatIsOverLeavesTheSpreadOfAResume() throws {
        var machine = try backingOff(fetchedAt: .start - .days(1))
        let now = Timestamp.start + .days(1)
        _ = machine.timerFired(elapsed: false, now: now)
        let planned = machine.next
        #expect(planned?.reason == .resume)
        machine.networkAppeared(now: now)
        #expect(machine.next == planned)
    }

    @Test func duringAFetchItChangesNothing() throws {
        var machine = try backingOff()
        _ = machine.refreshRequested(now: .start + .seconds(10))
        machine.networkAppeared(now: .start + .seconds(11))
        #expect(machine.next == nil && machine.fetching != nil)
    }

    @Test func withoutAnOriginItChangesNothing() {
        var machine = Machine.started(hasOrigin: false)
        machine.networkAppeared(now: .start)
        #expect(machine.next == nil)
    }
}
