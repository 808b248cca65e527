import PromoCore
import PromoWire
import Testing

@Suite struct OfflineTests {
    @Test func failuresWithoutANetworkDoNotRaiseTheCount() throws {
        var machine = Machine.started()
        for _ in 0..<20 {
            let now = try #require(machine.next).at
            try machine.fetch(.offline, now: now)
            #expect(machine.schedule.attempt == 0)
            let next = try #require(machine.next)
            #expect(next.reason == .offline)
            #expect(next.at >= now + .minutes(30) && next.at <= now + .hours(1))
        }
    }

    @Test func theyKeepTheCountOfTheOriginsFailures() throws {
        var machine = Machine.started()
        var now = try machine.fail(times: 7, now: .start)
        for _ in 0..<20 {
            now = try #require(machine.next).at
            try machine.fetch(.offline, now: now)
            #expect(machine.schedule.attempt == 7)
            #expect(try #require(machine.next).at <= now + .hours(1))
        }
    }

    @Test func aRouteEndsTheWait() throws {
        var machine = Machine.started()
        try machine.fetch(.offline, now: .start)
        let now = Timestamp.start + .minutes(10)
        machine.networkAppeared(now: now)
        let next = try #require(machine.next)
        #expect(next.reason == .network)
        #expect(next.at >= now && next.at <= now + .seconds(2))
    }

    @Test func aReloadEndsTheWait() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.offline, now: .start)
        machine.configured(.exact, fetchedAt: nil, now: .start + .seconds(10))
        #expect(machine.plan == Plan(.startup, at: .start + .seconds(10)))
    }

    @Test func aRestartForgetsTheWait() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.offline, now: .start)
        machine = try machine.restarted(now: .start + .minutes(2))
        #expect(machine.plan == Plan(.startup, at: .start + .minutes(2)))
    }

    @Test func theyAreStillReported() throws {
        var machine = Machine.started()
        try machine.fetch(.offline, now: .start)
        #expect(machine.schedule.lastOutcome == .failed)
        #expect(machine.schedule.lastError?.code == .dns)
        #expect(machine.schedule.lastEndAt == .start)
    }
}
