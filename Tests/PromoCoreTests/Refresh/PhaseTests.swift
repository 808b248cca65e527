import PromoCore
import PromoWire
import Testing

/// The time of the day at which a daemon refreshes.
@Suite struct PhaseTests {
    private func phase(_ millionths: Int) -> RefreshSchedule {
        var schedule = RefreshSchedule()
        schedule.phase = RefreshPhase(millionths: millionths)
        return schedule
    }

    @Test(arguments: 1...40)
    func itIsTheSameEachDay(seed: UInt64) throws {
        var machine = Machine.started(fetchedAt: .start, seed: seed)
        let first = try #require(machine.next).at
        var due = first
        for day in 0..<30 {
            #expect(due == first + .days(day))
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
        let early = Duration.hours(4) - .milliseconds(Int64(millionths) * 14_400 / 1000)
        #expect(next?.at == .start + .hours(24) - (millionths == 0 ? .zero : early))
    }

    @Test func itSpreadsDaemonsEvenlyOverTheDay() throws {
        var hours = Array(repeating: 0, count: 24)
        for seed in UInt64(1)...2400 {
            let due = try #require(Machine.started(fetchedAt: .start, seed: seed).next).at
            hours[min(23, Int((due - .start) / .hours(1)))] += 1
        }
        #expect(hours.allSatisfy { 60...140 ~= $0 })
    }

    @Test func aSpreadLongerThanTheIntervalCountsAsTheInterval() throws {
        var policy = RefreshPolicy()
        policy.interval = .hours(1)
        let next = try #require(Machine.started(policy, fetchedAt: .start).next)
        #expect(next.at > .start && next.at <= .start + .hours(1))
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
