import PromoCore
import PromoWire
import Testing

/// A refresh by hand.
@Suite struct HandRefreshTests {
    @Test func itFetchesAValidCatalogAgain() {
        var machine = Machine.started(fetchedAt: .start)
        let request = machine.refreshRequested(now: .start + .hours(1))
        #expect(request.fetch != nil)
        #expect(machine.fetching == request.fetch)
    }

    @Test func itPassesTheBackoff() throws {
        var machine = Machine.started()
        let now = try machine.fail(times: 9, now: .start) + .seconds(2)
        #expect(try #require(machine.next).at > now)
        let request = machine.refreshRequested(now: now)
        #expect(request.fetch != nil)
    }

    @Test func withinTheGapAfterTheLastEndItWaitsForTheEndOfTheGap() throws {
        var machine = Machine.started()
        let id = try machine.begin(now: .start)
        let end = Timestamp.start + .seconds(10)
        _ = machine.fetchEnded(id, .updated, now: end)
        #expect(!machine.isLoading)
        let atOnce = machine.refreshRequested(now: end)
        #expect(atOnce == .join)
        #expect(machine.isLoading && machine.fetching == nil)
        #expect(machine.next?.at == end + .seconds(2))
        let early = machine.refreshRequested(now: end + .milliseconds(1999))
        #expect(early == .join)
        let due = machine.timerFired(elapsed: false, now: end + .seconds(2))
        #expect(due.fetch != nil)
        #expect(machine.isLoading)
    }

    @Test func aRefreshThatWaitsForTheGapIsNotSpreadByASuspend() throws {
        var machine = Machine.started(fetchedAt: .start - .days(2))
        let now = try #require(machine.next).at
        try machine.fetch(.failure, now: now)
        let request = machine.refreshRequested(now: now)
        #expect(request == .join)
        let woken = machine.timerFired(elapsed: false, now: now + .hours(9))
        #expect(woken.fetch != nil)
    }

    @Test func aRefreshThatWaitsForTheGapSurvivesAReload() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.updated, now: .start)
        let request = machine.refreshRequested(now: .start)
        #expect(request == .join)
        machine.configured(.exact, fetchedAt: .start, now: .start + .seconds(1))
        #expect(machine.isLoading)
        #expect(machine.next?.at == .start + .seconds(2))
    }

    @Test(arguments: [Int64(0), 1, 500, 999])
    func theGapHoldsAcrossARestart(millisecond: Int64) throws {
        let end = Timestamp.start + .milliseconds(millisecond)
        var machine = Machine.started()
        try machine.fetch(.updated, now: end)
        let now = end + .milliseconds(1900)
        machine = try machine.restarted(now: now)
        let request = machine.refreshRequested(now: now)
        #expect(request.fetch == nil)
    }

    /// A client in a loop, for a day.
    @Test func aLoopOfRefreshesThatBringNothingNewBecomesOneInFiveMinutes() throws {
        var machine = Machine.started(fetchedAt: .start)
        var requests: [Timestamp] = []
        var now = Timestamp.start
        while now < .start + .days(1) {
            if machine.refreshRequested(now: now).fetch != nil
                || machine.timerFired(elapsed: false, now: now).fetch != nil
            {
                requests.append(now)
                let id = try #require(machine.fetching)
                _ = machine.fetchEnded(id, .unchanged, now: now + .milliseconds(50))
            }
            now = now + .milliseconds(500)
        }
        #expect(requests.count { $0 < .start + .seconds(10) } == 4)
        #expect((288...305).contains(requests.count))
    }

    @Test func aRefreshThatIsRefusedForALoopSaysWhenItWillBeAllowed() throws {
        var machine = Machine.started(fetchedAt: .start)
        var now = Timestamp.start
        for _ in 0..<20 {
            let request = machine.refreshRequested(now: now)
            if case .throttle(let until) = request {
                #expect(until > now + .seconds(30) && until <= now + .minutes(5))
                let allowed = machine.refreshRequested(now: until)
                #expect(allowed.fetch != nil)
                return
            }
            if request == .join { now = try #require(machine.next).at }
            if request == .join { _ = machine.timerFired(elapsed: true, now: now) }
            let id = try #require(machine.fetching)
            _ = machine.fetchEnded(id, .unchanged, now: now)
        }
        Issue.record("no refresh was refused")
    }

    private func afterALoop() throws -> (Machine, Timestamp) {
        var machine = Machine.started(.exact, fetchedAt: .start)
        var now = Timestamp.start
        for _ in 0..<11 {
            now = now + .minutes(5)
            let request = machine.refreshRequested(now: now)
            _ = machine.fetchEnded(try #require(request.fetch), .failure, now: now)
        }
        return (machine, now)
    }

    @Test func aRefreshThatWaitsForALongGapWaitsForTheRestOfIt() throws {
        var (machine, end) = try afterALoop()
        var status = RefreshStatus()
        machine.report(to: &status, now: end)
        #expect(status.refusedUntil == end + .seconds(98))
        let request = machine.refreshRequested(now: end + .seconds(100))
        #expect(request == .join && machine.isLoading)
        #expect(machine.plan == Plan(.startup, at: end + .seconds(128)))
    }

    @Test func theLongGapDelaysNoOtherAttempt() throws {
        var (machine, now) = try afterALoop()
        machine.networkAppeared(now: now + .seconds(1))
        #expect(try #require(machine.next).at <= now + .seconds(3))
        (machine, now) = try afterALoop()
        machine.cleared(now: now + .seconds(3))
        #expect(machine.plan == Plan(.startup, at: now + .seconds(3)))
        (machine, now) = try afterALoop()
        machine.originChanged(.exact, schedule: RefreshSchedule(), fetchedAt: nil, now: now)
        try machine.fetch(.unchanged, now: now)
        let request = machine.refreshRequested(now: now + .seconds(2))
        #expect(request.fetch != nil)
    }

    @Test func theCatalogThatComesAfterAClearEndsNoLongGap() throws {
        var (machine, now) = try afterALoop()
        machine.cleared(now: now)
        now = try #require(machine.next).at
        try machine.fetch(.updated, now: now)
        let request = machine.refreshRequested(now: now + .seconds(3))
        #expect(request == .throttle(until: now + .seconds(128)))
    }

    @Test func aNewCatalogAReloadAndTenQuietMinutesEndTheLongGap() throws {
        let ends: [(inout Machine, Timestamp) throws -> Timestamp] = [
            { machine, now in
                machine.configured(RefreshPolicy(), fetchedAt: now, now: now)
                return now + .seconds(2)
            },
            { _, now in now + .minutes(10) },
            { machine, now in
                let request = machine.refreshRequested(now: now + .minutes(5))
                _ = machine.fetchEnded(try #require(request.fetch), .updated, now: now + .minutes(5))
                return now + .minutes(5) + .seconds(2)
            },
        ]
        for end in ends {
            var machine = Machine.started(fetchedAt: .start)
            var now = Timestamp.start
            for _ in 0..<12 {
                now = now + .minutes(5)
                let request = machine.refreshRequested(now: now)
                _ = machine.fetchEnded(try #require(request.fetch), .unchanged, now: now)
            }
            #expect(machine.refreshRequested(now: now + .seconds(3)).fetch == nil)
            now = try end(&machine, now)
            for _ in 0..<5 {
                let request = machine.refreshRequested(now: now)
                _ = machine.fetchEnded(try #require(request.fetch), .unchanged, now: now)
                now = now + .seconds(2)
            }
        }
    }

    @Test func itJoinsAFetchUnderWay() throws {
        var machine = Machine.started()
        let id = try machine.begin(now: .start)
        for second in 0...5 {
            let request = machine.refreshRequested(now: .start + .seconds(second))
            #expect(request == .join)
        }
        #expect(machine.fetching == id)
    }

    @Test func itJoinsAFetchThatBeganOnAClockSetBack() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.failure(retryAfter: .hours(2)), now: .start)
        _ = try machine.begin(now: .start + .hours(1))
        let request = machine.refreshRequested(now: .start + .hours(1))
        #expect(request == .join)
    }

    @Test func itIsRefusedWithoutAnOrigin() {
        var machine = Machine.started(hasOrigin: false)
        let request = machine.refreshRequested(now: .start)
        #expect(request == .refuse)
    }

    @Test func itsFailureRaisesTheBackoffLikeAnyOther() throws {
        var machine = Machine.started(.exact, fetchedAt: .start)
        let request = machine.refreshRequested(now: .start + .hours(1))
        let id = try #require(request.fetch)
        _ = machine.fetchEnded(id, .failure, now: .start + .hours(1))
        #expect(machine.schedule.attempt == 1)
    }
}
