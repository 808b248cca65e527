import PromoCore
import PromoWire
import Testing

@Suite struct FailureTests {
    @Test(arguments: 1...40)
    func failuresAreRetriedAfterTheBackoff(seed: UInt64) throws {
        var machine = Machine.started(seed: seed)
        var now = Timestamp.start
        for attempt in 1...9 {
            try machine.fetch(.failure, now: now)
            #expect(machine.schedule.attempt == attempt)
            let next = try #require(machine.next)
            #expect(next.reason == .retry)
            #expect(next.at == machine.schedule.notBefore)
            #expect(next.at >= now + .seconds(5))
            #expect(next.at <= now + Backoff().ceiling(failures: attempt))
            now = next.at
        }
    }

    @Test func aFailureKeepsTheCatalogAndSaysWhy() throws {
        var machine = Machine.started(fetchedAt: .start - .hours(25))
        try machine.fetch(.failure, now: .start)
        #expect(machine.fetchedAt == .start - .hours(25))
        #expect(machine.schedule.lastOutcome == .failed)
        #expect(machine.schedule.lastError?.code == .httpStatus)
        #expect(machine.schedule.lastEndAt == .start)
    }

    @Test(arguments: [false, true])
    func aSuccessForgetsTheFailures(isUpdate: Bool) throws {
        var machine = Machine.started(.exact, fetchedAt: .start - .hours(25))
        let now = try machine.fail(times: 5, now: .start) + .minutes(1)
        try machine.fetch(isUpdate ? .updated : .unchanged, now: now)
        #expect(machine.schedule.attempt == 0)
        #expect(machine.schedule.notBefore == nil && machine.schedule.retryAfter == nil)
        #expect(machine.schedule.lastError == nil)
        #expect(machine.schedule.lastOutcome == (isUpdate ? .updated : .unchanged))
        #expect(machine.plan == Plan(.expiry, at: now + .planned))
    }

    @Test func failedRefreshOfAValidCatalogIsRetriedBeforeItExpires() throws {
        var machine = Machine.started(.exact, fetchedAt: .start)
        let now = Timestamp.start + .hours(1)
        let request = machine.refreshRequested(now: now)
        let id = try #require(request.fetch)
        _ = machine.fetchEnded(id, .failure, now: now)
        #expect(machine.plan == Plan(.retry, at: now + .minutes(1)))
    }

    @Test func failedRefreshKeepsTheBackoffAcrossARestart() throws {
        var machine = Machine.started()
        let now = try machine.fail(times: 8, now: .start)
        let due = try #require(machine.next)
        machine.stopped(now: now)
        let next = try #require(machine.restarted(now: now).next)
        #expect(next.reason == .retry)
        #expect(next.at >= due.at && next.at - due.at < .seconds(1))
    }

    @Test func theCountOfFailuresGoesOnAcrossARestart() throws {
        var machine = Machine.started()
        let now = try machine.fail(times: 8, now: .start)
        machine = try machine.restarted(now: now)
        _ = try machine.fail(times: 1, now: now)
        #expect(machine.schedule.attempt == 9)
    }

    @Test func aBackoffThatPassedWhileTheDaemonWasDownIsOver() throws {
        var machine = Machine.started()
        let now = try machine.fail(times: 8, now: .start) + .days(1)
        #expect(try machine.restarted(now: now).plan == Plan(.startup, at: now))
    }

    @Test func aRestartLoopDoesNotHammerTheOrigin() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure, now: .start)
        for second in 1..<60 {
            let now = Timestamp.start + .seconds(second)
            machine.stopped(now: now)
            machine = try machine.restarted(now: now)
            let action = machine.timerFired(elapsed: false, now: now)
            #expect(action == .none)
        }
    }

    @Test func theErrorIsThatOfTheLastFailure() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure, now: .start)
        try machine.fetch(.offline, now: .start + .minutes(1))
        #expect(machine.schedule.lastError == Failure(.dns, "No such name."))
    }

    @Test func aRetryKeepsAMinimumGapLongerThanTheBackoff() throws {
        var policy = RefreshPolicy.exact
        policy.minimumGap = .minutes(10)
        var machine = Machine.started(policy)
        try machine.fetch(.failure, now: .start)
        #expect(try #require(machine.next).at >= .start + .minutes(10))
    }
}
