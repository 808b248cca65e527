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
            #expect(next.reason == .retry)
            #expect(next.at >= now + .seconds(5) && next.at <= now + .minutes(1))
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

    @Test func theyAreStillReported() throws {
        var machine = Machine.started()
        try machine.fetch(.offline, now: .start)
        #expect(machine.schedule.lastOutcome == .failed)
        #expect(machine.schedule.lastError?.code == .dns)
        #expect(machine.schedule.lastEndAt == .start)
    }
}
