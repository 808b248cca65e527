import PromoCore
import PromoWire
import Testing

@Suite struct ClearTests {
    @Test func aLoopOfClearsBecomesOneInFiveMinutes() throws {
        var machine = Machine.started(.exact, fetchedAt: .start)
        var requests = 0
        var now = Timestamp.start
        while now < .start + .days(1) {
            machine.cleared(now: now)
            while let next = machine.next, machine.isLoading, next.at <= now + .seconds(10) {
                now = max(now, next.at)
                try machine.fetch(.updated, now: now)
                requests += 1
            }
            now = now + .seconds(1)
        }
        #expect((250...400).contains(requests), "\(requests)")
    }

    @Test func itForgetsTheCatalogAndFetchesAtOnce() {
        var machine = Machine.started(fetchedAt: .start - .hours(1))
        machine.cleared(now: .start)
        #expect(machine.fetchedAt == nil)
        #expect(!machine.isExpired(now: .start))
        #expect(machine.plan == Plan(.startup, at: .start))
        let action = machine.timerFired(elapsed: false, now: .start)
        #expect(action.fetch != nil)
    }

    @Test func itKeepsTheMinimumGap() throws {
        var machine = Machine.started()
        try machine.fetch(.updated, now: .start)
        machine.cleared(now: .start + .seconds(1))
        #expect(machine.next?.at == .start + .seconds(2))
    }

    @Test func itCancelsTheFetchUnderWay() throws {
        var machine = Machine.started()
        _ = try machine.begin(now: .start)
        machine.cleared(now: .start + .seconds(5))
        #expect(machine.fetching == nil)
        #expect(machine.schedule.lastEndAt == .start + .seconds(5))
        #expect(machine.next?.at == .start + .seconds(7))
    }

    @Test func itPassesABackoff() throws {
        var machine = Machine.started()
        let now = try machine.fail(times: 9, now: .start) + .seconds(2)
        machine.cleared(now: now)
        #expect(machine.plan == Plan(.startup, at: now))
    }

    @Test func itNeverPassesARetryAfter() throws {
        var machine = Machine.started(fetchedAt: .start - .hours(25))
        try machine.fetch(.failure(retryAfter: .hours(2)), now: .start)
        machine.cleared(now: .start + .minutes(1))
        #expect(machine.plan == Plan(.retryAfter, at: .start + .hours(2)))
        let next = try #require(machine.restarted(now: .start + .minutes(2)).next)
        #expect(next.reason == .retryAfter && next.at >= .start + .hours(2))
    }

    @Test func aThousandClearsDoNotCauseAThousandFetches() throws {
        var machine = Machine.started()
        var fetches = 0
        for tick in 0..<1000 {
            let now = Timestamp.start + .milliseconds(Int64(100 * tick))
            if machine.timerFired(elapsed: false, now: now).fetch != nil { fetches += 1 }
            machine.cleared(now: now)
        }
        #expect((2...51).contains(fetches))
    }

    @Test func withoutAnOriginNothingIsFetched() {
        var machine = Machine.started(hasOrigin: false, fetchedAt: .start)
        machine.cleared(now: .start)
        #expect(machine.fetchedAt == nil && machine.next == nil)
    }
}
