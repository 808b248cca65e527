import PromoCore
import PromoWire
import Testing

/// A refresh by hand.
@Suite struct HandRefreshTests {
    @Test func itFetchesAValidCatalogAgain() {
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

    @Test func withinTheGapAfterTheLastEndItWaitsForTheEndOfTheGap() throws {
        var machine = Machine.started()
        let id = try machine.begin(now: .start)
        let end = Timestamp.start + .seconds(10)
        _ = machine.fetchEnded(id, .updated, now: end)
        #expect(!machine.isLoading)
        let atOnce = machine.refreshRequested(now: end)
        #expect(atOnce == .join)
        #expect(machine.isLoading && machine.fetching == nil)
        #expect(machine.next?.at == end + .seconds(2))
        let early = machine.refreshRequested(now: end + .milliseconds(1999))
        #expect(early == .join)
        let due = machine.timerFired(elapsed: false, now: end + .seconds(2))
        #expect(due.fetch != nil)
        #expect(machine.isLoading)
    }

    @Test func aRefreshThatWaitsForTheGapIsNotSpreadByASuspend() throws {
        var machine = Machine.started(fetchedAt: .start - .days(2))
        let now = try #require(machine.next).at
        try machine.fetch(.failure, now: now)
        let request = machine.refreshRequested(now: now)
        #expect(request == .join)
        let woken = machine.timerFired(elapsed: false, now: now + .hours(9))
        #expect(woken.fetch != nil)
    }

    @Test func aRefreshThatWaitsForTheGapSurvivesAReload() throws {
        var machine = Machine.started(.exact)
        try machine.fetch(.updated, now: .start)
        let request = machine.refreshRequested(now: .start)
        #expect(request == .join)
        machine.configured(.exact, fetchedAt: .start, now: .start + .seconds(1))
        #expect(machine.isLoading)
        #expect(machine.next?.at == .start + .seconds(2))
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

    @Test func itsFailureRaisesTheBackoffLikeAnyOther() throws {
        var machine = Machine.started(.exact, fetchedAt: .start)
        let request = machine.refreshRequested(now: .start + .hours(1))
        let id = try #require(request.fetch)
        _ = machine.fetchEnded(id, .failure, now: .start + .hours(1))
        #expect(machine.schedule.attempt == 1)
    }
}
