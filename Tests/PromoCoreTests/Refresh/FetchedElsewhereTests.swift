import PromoCore
import PromoWire
import Testing

/// A catalog that another process fetched.
@Suite struct FetchedElsewhereTests {
    @Test func failuresAreForgottenAndTheNextFetchIsADayAway() throws {
        var machine = Machine.started(.exact)
        let id = try machine.begin(now: .start)
        _ = machine.fetchEnded(
            id, .failed(Failure(.connect, "No."), retryAfter: .hours(2), isOffline: false), now: .start + .seconds(1))
        let time = Timestamp.start + .seconds(10)
        machine.fetchedElsewhere(at: time, now: time + .seconds(1))
        #expect(machine.fetchedAt == time)
        #expect(machine.schedule.attempt == 0)
        #expect(machine.schedule.lastError == nil && machine.schedule.retryAfter == nil)
        #expect(machine.schedule.lastOutcome == .updated)
        #expect(machine.next?.reason == .expiry)
        #expect(machine.next?.at == time + .hours(24))
    }

    @Test func aFetchUnderWayContinuesAndItsEndCounts() throws {
        var machine = Machine.started(.exact)
        let id = try machine.begin(now: .start)
        machine.fetchedElsewhere(at: .start, now: .start + .seconds(1))
        #expect(machine.fetching == id)
        let counted = machine.fetchEnded(id, .unchanged, now: .start + .seconds(2))
        #expect(counted)
        #expect(machine.fetchedAt == .start + .seconds(2))
    }
}
