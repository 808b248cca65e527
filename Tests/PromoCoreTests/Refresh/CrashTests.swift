import PromoCore
import PromoWire
import Testing

/// A process that crashes during a fetch leaves an attempt without an end on disk.
@Suite struct CrashTests {
    private func crashed(times: Int, each: Duration) throws -> (machine: Machine, fetches: Int, now: Timestamp) {
        var machine = Machine.started()
        var now = Timestamp.start
        var fetches = 0
        for _ in 0..<times {
            if machine.timerFired(elapsed: false, now: now).fetch != nil { fetches += 1 }
            now = now + each
            machine = try machine.restarted(now: now)
        }
        return (machine, fetches, now)
    }

    @Test func aLoopOfCrashesInTheFetchDoesNotHammerTheOrigin() throws {
        let (_, fetches, _) = try crashed(times: 600, each: .seconds(1))
        #expect(fetches >= 2)
        #expect(fetches <= 20)
    }

    @Test func aCrashInAFetchCountsAsAFailure() throws {
        let (machine, fetches, now) = try crashed(times: 1, each: .seconds(3))
        #expect(fetches == 1)
        #expect(machine.schedule.attempt == 1)
        #expect(machine.schedule.lastOutcome == .failed && machine.schedule.lastError?.code == .interrupted)
        let next = try #require(machine.next)
        #expect(next.reason == .retry)
        #expect(next.at >= now + .seconds(5) && next.at <= now + .minutes(1) + .seconds(1))
    }

    @Test func aClockThatWasSetBackDuringAFetchMakesNoCrash() throws {
        var machine = Machine.started()
        let id = try machine.begin(now: .start)
        _ = machine.fetchEnded(id, .updated, now: .start - .seconds(30))
        machine = try machine.restarted(now: .start + .seconds(30))
        #expect(machine.schedule.attempt == 0 && machine.schedule.lastOutcome == .updated)
    }

    @Test func aCrashIsOneOnAClockThatWasSetBackToo() throws {
        var machine = Machine.started()
        _ = try machine.begin(now: .start)
        machine = try machine.restarted(now: .start - .days(400))
        #expect(machine.schedule.attempt == 1 && machine.next?.reason == .retry)
    }

    @Test func aStopDuringAFetchIsNotAFailure() throws {
        var machine = Machine.started()
        _ = try machine.begin(now: .start)
        machine.stopped(now: .start + .seconds(3))
        machine = try machine.restarted(now: .start + .seconds(9))
        #expect(machine.schedule.attempt == 0)
        #expect(machine.plan == Plan(.startup, at: .start + .seconds(9)))
    }
}
