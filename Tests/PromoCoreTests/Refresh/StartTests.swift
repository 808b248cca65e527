import PromoCore
import PromoWire
import Testing

@Suite struct StartTests {
    @Test func anEmptyCacheIsFetchedAtOnce() {
        var machine = Machine.started()
        #expect(machine.plan == Plan(.startup, at: .start))
        let action = machine.timerFired(elapsed: false, now: .start)
        #expect(action.fetch != nil)
        #expect(machine.fetching == action.fetch)
        #expect(machine.next == nil)
        #expect(machine.schedule.lastAttemptAt == .start)
    }

    @Test(arguments: 1...40)
    func aValidCatalogIsRefreshedBeforeItExpires(seed: UInt64) throws {
        let next = try #require(Machine.started(fetchedAt: .start, seed: seed).next)
        #expect(next.reason == .expiry)
        #expect(next.at > .start && next.at <= .start + .hours(24))
    }

    @Test(arguments: 1...40)
    func aRefreshThatWasMissedIsDueWithin6HoursOfTheStart(seed: UInt64) throws {
        let next = try #require(Machine.started(fetchedAt: .start - .hours(20), seed: seed).next)
        let isMissed = next.reason == .startup
        #expect(isMissed || next.reason == .expiry)
        #expect(next.at >= .start && next.at <= .start + (isMissed ? .hours(6) : .hours(4)))
    }

    @Test(arguments: 1...40)
    func anExpiredCatalogIsDueWithin6HoursOfTheStart(seed: UInt64) throws {
        let next = try #require(Machine.started(fetchedAt: .start - .hours(30), seed: seed).next)
        #expect(next.reason == .startup)
        #expect(next.at >= .start && next.at <= .start + .hours(6))
    }

    @Test(arguments: [Duration.hours(20), .hours(30)])
    func machinesThatStartTogetherDriftApart(age: Duration) throws {
        let times = try (1...200).map { seed in
            try #require(Machine.started(fetchedAt: .start - age, seed: seed).next).at
        }
        #expect(Set(times).count > 190)
        let earliest = try #require(times.min())
        let latest = try #require(times.max())
        #expect(latest - earliest > .hours(5))
    }

    @Test func onlyTheStartOfAMachineWithACatalogCountsAsMissed() {
        #expect(Machine.started().schedule.missedDelays == 0)
        #expect(Machine.started(fetchedAt: .start - .days(2)).schedule.missedDelays == 1)
    }

    @Test func withoutASpreadTheTimeIsExact() {
        #expect(Machine.started(.exact, fetchedAt: .start).next?.at == .start + .planned)
        #expect(Machine.started(.exact, fetchedAt: .start - .days(3)).next?.at == .start)
    }

    @Test func aSuccessIsDueAgainBeforeItExpires() throws {
        var machine = Machine.started()
        let id = try machine.begin(now: .start)
        let end = Timestamp.start + .seconds(3)
        let counted = machine.fetchEnded(id, .updated, now: end)
        #expect(counted)
        #expect(machine.fetchedAt == end)
        let next = try #require(machine.next)
        #expect(next.reason == .expiry)
        #expect(next.at > end && next.at <= end + .planned)
    }

    @Test func aConfirmationRenewsTheCatalogLikeAnUpdate() throws {
        var machine = Machine.started(.exact, fetchedAt: .start - .hours(24))
        try machine.fetch(.unchanged, now: .start)
        #expect(machine.fetchedAt == .start)
        #expect(machine.next?.at == .start + .planned)
        #expect(machine.schedule.lastOutcome == .unchanged)
    }

    @Test func theTimerOfAnotherTimeDoesNothing() {
        var machine = Machine.started(.exact, fetchedAt: .start)
        let due = machine.next
        let action = machine.timerFired(elapsed: false, now: .start + .planned - .milliseconds(1))
        #expect(action == .none)
        #expect(machine.next == due)
    }

    @Test func aTimerDuringAFetchDoesNothing() throws {
        var machine = Machine.started()
        let id = try machine.begin(now: .start)
        let action = machine.timerFired(elapsed: true, now: .start + .hours(1))
        #expect(action == .none)
        #expect(machine.fetching == id)
    }

    @Test func theFirstFetchHasTheGapToTheLastProcess() throws {
        var schedule = RefreshSchedule()
        schedule.lastAttemptAt = .start - .seconds(1)
        schedule.lastEndAt = .start - .seconds(1)
        var machine = Machine.started(schedule: schedule)
        #expect(machine.next?.at == .start + .seconds(1))
        let action = machine.timerFired(elapsed: false, now: .start)
        #expect(action == .none)
    }

    @Test func aMachineThatIsStoppedWhileItWaitsFetchesNoMore() {
        var machine = Machine.started(fetchedAt: .start)
        let schedule = machine.schedule
        machine.stopped(now: .start + .hours(1))
        #expect(machine.next == nil)
        #expect(machine.schedule == schedule)
        let action = machine.timerFired(elapsed: true, now: .start + .days(2))
        #expect(action == .none)
    }

    @Test func aMachineThatIsStoppedDuringAFetchFetchesNoMore() throws {
        var machine = Machine.started()
        let id = try machine.begin(now: .start)
        machine.stopped(now: .start + .seconds(1))
        #expect(machine.fetching == nil && machine.next == nil)
        #expect(machine.schedule.lastEndAt == .start + .seconds(1))
        let action = machine.timerFired(elapsed: true, now: .start + .days(2))
        #expect(action == .none)
        let counted = machine.fetchEnded(id, .updated, now: .start + .seconds(2))
        #expect(!counted)
    }

    /// A machine that is there for twenty minutes a day.
    @Test(arguments: [true, false]) func shortSessionsFetchWithinFiveOfThem(isAsleepBetween: Bool) throws {
        for seed in UInt64(1)...200 {
            var machine = Machine.started(fetchedAt: .start, now: .start, seed: seed)
            var sessions = 0
            while machine.fetching == nil {
                sessions += 1
                var now = Timestamp.start + .days(1 + sessions)
                if !isAsleepBetween { machine = try machine.restarted(now: now, seed: seed + UInt64(sessions)) }
                let end = now + .minutes(20)
                while now < end, machine.fetching == nil {
                    _ = machine.timerFired(elapsed: false, now: now)
                    now = max(now + .milliseconds(1), machine.next?.at ?? end)
                }
                try #require(sessions < 10)
            }
            #expect(sessions <= 5)
            #expect(machine.schedule.missedDelays <= 3)
        }
    }
}
