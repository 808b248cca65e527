@testable import PromoCore
import PromoWire
import Testing

@Suite struct SuspendTests {
    /// When a machine resumes that was suspended for two days.
    private let wake = Timestamp.start + .days(2)

    @Test(arguments: 1...40)
    func anExpiredCatalogHasAnotherSpreadOnResume(seed: UInt64) throws {
        var machine = Machine.started(fetchedAt: .start, seed: seed)
        let action = machine.timerFired(elapsed: false, now: wake)
        #expect(action == .none)
        let next = try #require(machine.next)
        #expect(next.reason == .resume)
        #expect(next.at >= wake && next.at <= wake + .hours(6))
    }

    @Test func aMachineThatSleptWhenItsCatalogWasToBeRefreshedRemembersTheHours() throws {
        var machine = Machine.started(fetchedAt: .start)
        let due = try #require(machine.next).at
        let awake = due + .hours(8)
        _ = machine.timerFired(elapsed: false, now: awake)
        #expect(machine.schedule.off == OffHours(nil, missed: due, now: awake))
    }

    /// A retry comes at any hour, so it says nothing about those in which the machine is usually on.
    @Test func aRetryThatWasMissedTeachesNothing() throws {
        var policy = RefreshPolicy()
        policy.backoff = .exact
        var machine = Machine.started(policy, fetchedAt: .start - .hours(1))
        try machine.fetch(.failure, now: .start)
        _ = machine.timerFired(elapsed: false, now: .start + .hours(8))
        #expect(machine.plan?.reason == .resume && machine.schedule.off == nil)
    }

    @Test func machinesThatResumeTogetherDriftApart() {
        let times = (1...200).map { (seed: UInt64) in
            var machine = Machine.started(fetchedAt: .start, seed: seed)
            _ = machine.timerFired(elapsed: false, now: wake)
            return machine.next?.at
        }
        #expect(Set(times).count > 190)
    }

    @Test func theSpreadOfAResumeEndsInAFetch() throws {
        var machine = Machine.started(fetchedAt: .start)
        _ = machine.timerFired(elapsed: false, now: wake)
        let due = try #require(machine.next).at
        let action = machine.timerFired(elapsed: false, now: due)
        #expect(action.fetch != nil)
    }

    @Test func frequentSuspendsDoNotDelayTheFetchForever() {
        var machine = Machine.started(fetchedAt: .start)
        for day in 0..<4 {
            let action = machine.timerFired(elapsed: false, now: wake + .days(day))
            #expect(action == .none)
        }
        let action = machine.timerFired(elapsed: false, now: wake + .days(4))
        #expect(action.fetch != nil)
    }

    @Test func aTimerThatIsAMinuteLateDidNotSleep() throws {
        var machine = Machine.started(fetchedAt: .start)
        let due = try #require(machine.next).at
        let action = machine.timerFired(elapsed: false, now: due + .minutes(1))
        #expect(action.fetch != nil)
    }

    @Test func aTimerThatIsOverAMinuteLateSlept() throws {
        var machine = Machine.started(fetchedAt: .start)
        let due = try #require(machine.next).at
        let action = machine.timerFired(elapsed: false, now: due + .minutes(1) + .milliseconds(1))
        #expect(action == .none)
        #expect(machine.next?.reason == .resume)
    }

    @Test func anEmptyCacheIsFetchedAtOnceOnResume() throws {
        var machine = Machine.started()
        try machine.fetch(.failure, now: .start)
        let action = machine.timerFired(elapsed: false, now: wake)
        #expect(action.fetch != nil)
    }

    @Test func aRetryForAnExpiredCatalogIsSpreadOnResume() throws {
        var machine = Machine.started(fetchedAt: .start - .hours(25))
        try machine.fetch(.failure, now: .start)
        #expect(machine.next?.reason == .retry)
        let action = machine.timerFired(elapsed: false, now: wake)
        #expect(action == .none)
        #expect(machine.next?.reason == .resume)
    }

    @Test func withoutASpreadAResumeFetchesAtOnce() {
        var machine = Machine.started(.exact, fetchedAt: .start)
        let action = machine.timerFired(elapsed: false, now: wake)
        #expect(action.fetch != nil)
    }

    @Test func theNextDayAfterAResumeIsOrdinary() throws {
        var machine = Machine.started(fetchedAt: .start)
        _ = machine.timerFired(elapsed: false, now: wake)
        let due = try #require(machine.next).at
        try machine.fetch(.updated, now: due)
        #expect(machine.next?.reason == .expiry)
        #expect(try #require(machine.next).at <= due + .hours(24))
    }
}
