@testable import PromoCore
import PromoWire
import Testing

/// What people cause: lists, taps and impressions, and requests to refresh.
struct RefreshRequestTests {
    private let schedule = ScheduleUnderTest.running()

    // MARK: An expired catalog

    @Test func aListOnAnExpiredCatalogBeginsAFetchAtOnceUnlessThereIsOneOrItIsFresh() {
        let schedule = ScheduleUnderTest.started(held: .fetched(.start - .hours(25)))
        #expect(schedule.answered(now: .start + .seconds(1)) != nil)
        #expect(schedule.isFetching)
        #expect(schedule.answered(now: .start + .seconds(5)) == nil)
        #expect(ScheduleUnderTest.running().answered(now: .start + .hours(23)) == nil)
    }

    @Test func aListDuringAPauseBeginsAFetchUnlessAnAttemptEndedLessThanAMinuteAgo() {
        let schedule = ScheduleUnderTest.started(held: .fetched(.start - .days(2)))
        schedule.fail(7)
        let end = (schedule.next?.at ?? .start) - .hours(1)
        #expect(schedule.answered(now: end + .seconds(60) - .milliseconds(1)) == nil)
        #expect(schedule.answered(now: end + .seconds(60)) != nil)
    }

    @Test func aListWithinAMinuteAfterAFailureIsFollowedByAFetchWhenTheMinuteEnds() {
        let schedule = ScheduleUnderTest.started(held: .fetched(.start - .days(2)))
        let end = schedule.fail(7)
        #expect(schedule.answered(now: end + .seconds(1)) == nil)
        #expect(schedule.next == .init(at: end + .seconds(60), reason: .retry))
    }

    @Test func aFreshListDoesNotHastenTheNextAttempt() {
        var end = Timestamp.start
        for _ in 0..<3 {
            end = end + .minutes(10)
            _ = schedule.fetches(now: end)
            schedule.failed(now: end)
        }
        let next = schedule.next
        #expect(schedule.answered(now: end + .seconds(1)) == nil)
        #expect(schedule.next == next)
    }

    @Test func aListDuringARetryAfterBeginsNone() {
        let schedule = ScheduleUnderTest.started(held: .fetched(.start - .days(2)), draw: 0)
        let now = schedule.fail(status: 503, retryAfter: .hours(2))
        #expect(schedule.answered(now: now + .hours(2) - .milliseconds(1)) == nil)
        #expect(schedule.answered(now: now + .hours(2)) != nil)
    }

    @Test func aStartDoesNotForgetThatAnAttemptWasRecent() {
        let schedule = ScheduleUnderTest.started(held: .fetched(.start - .days(2)))
        let now = schedule.fail()
        let next = schedule.restarted(now: now + .seconds(10))
        #expect(next.answered(now: now + .seconds(59)) == nil)
        #expect(next.answered(now: now + .seconds(60)) != nil)
    }

    // MARK: Refresh

    @Test func aRefreshBeginsAtOnceAnotherJoinsItAndOneWithinASecondIsDeferred() {
        #expect(schedule.refreshRequested(now: .start + .milliseconds(999)) == .deferred(until: .start + .seconds(1)))
        #expect(schedule.fetches(now: .start + .seconds(1)))
        #expect(schedule.refreshRequested(now: .start + .seconds(1)) == .join)
    }

    @Test func theOutcomeOfTheLastAttemptIsNotThatOfAnotherRequest() {
        let now = schedule.fail()
        schedule.requestChanged(now: now)
        #expect(schedule.record.lastOutcome == nil)
        #expect(schedule.record.lastError == nil)
        #expect(schedule.fetches(now: now + .milliseconds(1)))
    }

    @Test func aRefreshOverridesAPause() {
        schedule.fail(7)
        let end = (schedule.next?.at ?? .start) - .hours(1)
        #expect(schedule.fetches(now: end + .seconds(1)))
    }

    @Test func aRefreshOverridesARetryAfterOnceAMinute() {
        let end = schedule.fail(status: 503, retryAfter: .hours(2))
        #expect(schedule.refreshRequested(now: end + .seconds(59)) == .deferred(until: end + .seconds(60)))
        #expect(schedule.fetches(now: end + .seconds(60)))
        schedule.failed(retryAfter: .hours(2), now: end + .seconds(60))
        #expect(schedule.refreshRequested(now: end + .seconds(119)) == .deferred(until: end + .seconds(120)))
        #expect(schedule.fetches(now: end + .seconds(120)))
    }

    @Test func aShortRetryAfterDefersARefreshUntilItsEnd() {
        let schedule = ScheduleUnderTest.running(draw: 0)
        let end = schedule.fail(status: 503, retryAfter: .seconds(3))
        #expect(schedule.refreshRequested(now: end + .seconds(2)) == .deferred(until: end + .seconds(3)))
        #expect(schedule.fetches(now: end + .seconds(3)))
    }

    // MARK: Conditions

    private func isConditional(_ schedule: ScheduleUnderTest, now: Timestamp) -> Bool? {
        // A copy, because the request begins a fetch.
        guard case .fetch(let fetch) = schedule.restarted(now: now).refreshRequested(now: now) else { return nil }
        return fetch.isConditional
    }

    @Test func theFirstFetchIsUnconditionalAndTheNextOnesAreConditional() {
        let schedule = ScheduleUnderTest.started()
        #expect(schedule.timerFired(now: .start) == .init(isConditional: false))
        schedule.succeeded(.updated, isWhole: true, now: .start)
        #expect(isConditional(schedule, now: .start + .hours(1)) == true)
    }

    @Test func aWeekAfterTheLastWholeCatalogAFetchIsUnconditional() {
        for day in 1...6 {
            _ = schedule.timerFired(now: .start + .days(day))
            schedule.succeeded(.unchanged, isWhole: false, now: .start + .days(day))
        }
        #expect(isConditional(schedule, now: .start + .days(7) - .seconds(1)) == true)
        #expect(isConditional(schedule, now: .start + .days(7)) == false)
        #expect(isConditional(schedule.restarted(now: .start + .days(7)), now: .start + .days(7)) == false)
    }

    @Test(arguments: [(412, false), (400, false), (404, false), (408, true), (429, true), (500, true), (503, true)])
    func afterA4xxTheNextFetchIsUnconditional(status: Int, isConditional: Bool) {
        let now = schedule.fail(status: status)
        #expect(self.isConditional(schedule, now: now + .minutes(1)) == isConditional)
    }

    @Test func afterA4xxFetchesAreUnconditionalUntilTheOriginSendsACatalog() {
        _ = schedule.fail(status: 412)
        let now = schedule.fail(status: 503)
        #expect(isConditional(schedule.restarted(now: now), now: now + .minutes(10)) == false)
        #expect(isConditional(schedule, now: now + .minutes(10)) == false)
        schedule.succeeded(.updated, isWhole: true, now: now + .minutes(11))
        #expect(isConditional(schedule, now: now + .minutes(20)) == true)
    }

    @Test func aSecondRefreshWithinAMinuteIsUnconditionalOnceInTenMinutes() {
        func refresh(_ time: Timestamp) -> Bool? {
            guard case .fetch(let fetch) = schedule.refreshRequested(now: time) else { return nil }
            schedule.succeeded(.unchanged, isWhole: false, now: time)
            return fetch.isConditional
        }
        let one = Timestamp.start + .hours(1)
        #expect(refresh(one) == true)
        #expect(refresh(one + .seconds(59)) == false)
        #expect(refresh(one + .seconds(90)) == true)
        #expect(refresh(one + .seconds(658)) == true)
        #expect(refresh(one + .seconds(660)) == false)
    }
}
