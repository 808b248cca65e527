import PromoCore
import PromoWire
import Testing

/// A `refresh` that somebody asks for.
@Suite struct HandRefreshTests {
    @Test func itFetchesAValidCatalogAnew() {
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

    @Test func itIsThrottledWithinTheGapAfterTheLastEnd() throws {
        var machine = Machine.started()
        let id = try machine.begin(now: .start)
        let end = Timestamp.start + .seconds(10)
        _ = machine.fetchEnded(id, .updated, now: end)
        let atOnce = machine.refreshRequested(now: end)
        #expect(atOnce == .throttle(until: end + .seconds(2)))
        let early = machine.refreshRequested(now: end + .milliseconds(1999))
        #expect(early == .throttle(until: end + .seconds(2)))
        let due = machine.refreshRequested(now: end + .seconds(2))
        #expect(due.fetch != nil)
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

    @Test func whenItIsAllowedIsTheEndOfGapAndRetryAfter() throws {
        #expect(Machine.started(hasOrigin: false).refreshAllowedAt(now: .start) == nil)
        #expect(Machine.started().refreshAllowedAt(now: .start) == .start)
        var machine = Machine.started(.exact)
        try machine.fetch(.failure, now: .start)
        #expect(machine.refreshAllowedAt(now: .start) == .start + .seconds(2))
        try machine.fetch(.failure(retryAfter: .hours(1)), now: .start + .minutes(1))
        #expect(machine.refreshAllowedAt(now: .start + .minutes(2)) == .start + .minutes(61))
    }

    @Test func itsFailureRaisesTheBackoffLikeAnyOther() throws {
        var machine = Machine.started(.exact, fetchedAt: .start)
        let request = machine.refreshRequested(now: .start + .hours(1))
        let id = try #require(request.fetch)
        _ = machine.fetchEnded(id, .failure, now: .start + .hours(1))
        #expect(machine.schedule.attempt == 1)
    }
}
