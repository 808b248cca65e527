import PromoCore
import PromoWire
import Testing

/// The time in the spread at which a daemon refreshes.
@Suite struct PhaseTests {
    private func phase(_ millionths: Int) -> RefreshSchedule {
        var schedule = RefreshSchedule()
        schedule.phase = RefreshPhase(millionths: millionths)
        return schedule
    }

    @Test(arguments: 1...40)
    func itComesBackOncePerSpread(seed: UInt64) throws {
        var machine = Machine.started(fetchedAt: .start, seed: seed)
        let first = try #require(machine.next).at
        var due = first
        for number in 0..<30 {
            #expect(due == first + .planned * number)
            let id = try machine.begin(now: due)
            _ = machine.fetchEnded(id, .unchanged, now: due + .seconds(20))
            due = try #require(machine.next).at
        }
    }

    @Test func itSurvivesARestart() throws {
        let machine = Machine.started(fetchedAt: .start)
        let again = try machine.restarted(now: .start + .milliseconds(1), seed: 77)
        #expect(machine.schedule.phase != nil && again.schedule.phase == machine.schedule.phase)
        #expect(again.next == machine.next)
    }

    @Test func itIsReturnedToAfterARefreshAtAnotherTime() throws {
        var machine = Machine.started(fetchedAt: .start)
        let due = try #require(machine.next).at
        let request = machine.refreshRequested(now: due - .minutes(1))
        let id = try #require(request.fetch)
        _ = machine.fetchEnded(id, .updated, now: due - .seconds(50))
        #expect(machine.next?.at == due)
    }

    @Test(arguments: [0, 250_000, 999_999])
    func itIsAPartOfTheSpread(millionths: Int) throws {
        // The start is at 08:00 of a day in UTC, and spreads are counted from midnight.
        var policy = RefreshPolicy()
        policy.spread = .hours(4)
        let next = Machine.started(policy, fetchedAt: .start, schedule: phase(millionths)).next
        let phase = Duration.milliseconds(Int64(millionths) * 14_400 / 1000)
        // The last hour before the margin is 05:36, so the spreads in question begin at 00:00 and at 04:00.
        let begin = Timestamp.start + (phase > .minutes(96) ? .hours(16) : .hours(20))
        #expect(next?.at == begin + phase)
    }

    @Test func itSpreadsDaemonsEvenlyOverTheDay() throws {
        var hours = Array(repeating: 0, count: 24)
        for seed in UInt64(1)...2400 {
            let due = try #require(Machine.started(fetchedAt: .start, seed: seed).next).at
            hours[Int((due - .start) / .hours(1))] += 1
        }
        #expect(hours[..<21].allSatisfy { 70...155 ~= $0 } && hours[22...].allSatisfy { $0 == 0 })
    }

    @Test func aSpreadLongerThanTheIntervalCountsAsTheInterval() throws {
        var policy = RefreshPolicy()
        policy.interval = .hours(1)
        let next = try #require(Machine.started(policy, fetchedAt: .start).next)
        #expect(next.at > .start && next.at <= .start + .minutes(54))
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max])
    func noTimeIsTooStrange(milliseconds: Int64) {
        let machine = Machine.started(fetchedAt: Timestamp(milliseconds: milliseconds))
        #expect(machine.next != nil)
    }

    @Test(arguments: [-1, 1_000_000, Int.max])
    func anImpossiblePhaseIsDrawnAgain(millionths: Int) throws {
        #expect(RefreshPhase(millionths: millionths) == nil)
        let schedule = try #require(RefreshSchedule(fileBytes: Array("{\"attempt\":0,\"phase\":\(millionths)}".utf8)))
        #expect(schedule.phase == nil)
        #expect(Machine.started(schedule: schedule).schedule.phase != nil)
    }
}
