import PromoCore
import PromoWire
import Testing

/// A `list` on an expired catalog starts the fetch that is due.
@Suite struct ExpiredListTests {
    @Test func itEndsTheSpreadOfAStart() {
        var machine = Machine.started(fetchedAt: .start - .hours(25))
        let action = machine.expiredCatalogServed(now: .start)
        #expect(action.fetch != nil)
        #expect(machine.fetching == action.fetch && machine.next == nil)
    }

    @Test func itEndsTheSpreadOfARunningDaemon() {
        var machine = Machine.started(fetchedAt: .start)
        let action = machine.expiredCatalogServed(now: .start + .hours(24))
        #expect(action.fetch != nil)
    }

    @Test func itEndsTheSpreadOfAResume() {
        var machine = Machine.started(fetchedAt: .start)
        _ = machine.timerFired(elapsed: false, now: .start + .days(2))
        #expect(machine.next?.reason == .resume)
        let action = machine.expiredCatalogServed(now: .start + .days(2))
        #expect(action.fetch != nil)
    }

    @Test func itNeverEndsABackoff() throws {
        var machine = Machine.started(.exact, fetchedAt: .start - .hours(25))
        try machine.fetch(.failure, now: .start)
        let planned = machine.next
        let early = machine.expiredCatalogServed(now: .start + .minutes(1) - .milliseconds(1))
        #expect(early == .none)
        #expect(machine.next == planned)
        let due = machine.expiredCatalogServed(now: .start + .minutes(1))
        #expect(due.fetch != nil)
    }

    @Test func itNeverEndsABackoffAcrossARestart() throws {
        var machine = Machine.started(.exact, fetchedAt: .start - .hours(25))
        try machine.fetch(.failure, now: .start)
        machine = try machine.restarted(now: .start + .seconds(10))
        let action = machine.expiredCatalogServed(now: .start + .seconds(10))
        #expect(action == .none)
    }

    @Test func itNeverEndsARetryAfter() throws {
        var machine = Machine.started(.exact, fetchedAt: .start - .hours(25))
        try machine.fetch(.failure(retryAfter: .hours(2)), now: .start)
        let early = machine.expiredCatalogServed(now: .start + .hours(2) - .milliseconds(1))
        #expect(early == .none)
        let due = machine.expiredCatalogServed(now: .start + .hours(2))
        #expect(due.fetch != nil)
    }

    @Test func itKeepsTheMinimumGap() throws {
        var machine = Machine.started(.exact, fetchedAt: .start - .hours(25))
        let id = try machine.begin(now: .start)
        machine.cleared(now: .start)
        machine.configured(.exact, fetchedAt: .start - .hours(25), now: .start)
        let stale = machine.fetchEnded(id, .updated, now: .start)
        #expect(!stale)
        let early = machine.expiredCatalogServed(now: .start + .seconds(1))
        #expect(early == .none)
        let due = machine.expiredCatalogServed(now: .start + .seconds(2))
        #expect(due.fetch != nil)
    }

    @Test func itDoesNotStartASecondFetch() throws {
        var machine = Machine.started(fetchedAt: .start - .hours(25))
        let id = try machine.begin(now: .start)
        let action = machine.expiredCatalogServed(now: .start + .seconds(9))
        #expect(action == .none)
        #expect(machine.fetching == id)
    }

    @Test(arguments: [nil, Timestamp.start])
    func aValidOrAbsentCatalogFetchesNothing(fetchedAt: Timestamp?) {
        var machine = Machine.started(fetchedAt: fetchedAt)
        let action = machine.expiredCatalogServed(now: .start + .hours(1))
        #expect(action == .none)
    }

    @Test func withoutAnOriginItFetchesNothing() {
        var machine = Machine.started(hasOrigin: false, fetchedAt: .start - .days(3))
        let action = machine.expiredCatalogServed(now: .start)
        #expect(action == .none)
    }
}
