@testable import PromoCore
import PromoWire
import Testing

/// What comes between: clears, other settings, clocks, suspends, routes, and a fetch that is cancelled.
struct RefreshEventTests {
    private let schedule = ScheduleUnderTest.running()

    // MARK: Clear, reload, cancel

    @Test func afterAClearTheFetchBeginsAtOnceAndIsUnconditional() {
        schedule.serves(.nothing, now: .start + .hours(1))
        #expect(schedule.next == .init(at: .start + .hours(1), reason: .startup))
    }

    @Test func aPauseOutlastsAClear() {
        let now = schedule.fail()
        schedule.serves(.nothing, now: now + .seconds(1))
        #expect(schedule.next == .init(at: now + .minutes(1), reason: .retry))
    }

    @Test func aRefreshRightAfterAClearJoinsTheFetchThatFollows() {
        schedule.serves(.nothing, now: .start + .milliseconds(200))
        #expect(schedule.refreshRequested(now: .start + .milliseconds(300)) == .join)
        #expect(schedule.next == .init(at: .start + .seconds(1), reason: .startup))
    }

    @Test func aLoopOfClearsAsksOnceASecondAtMost() {
        var requests = 0
        for tick in 1...500 {
            let now = Timestamp.start + .milliseconds(10 * tick)
            if schedule.isFetching { schedule.cancelled(now: now) }
            schedule.serves(.nothing, now: now)
            if schedule.timerFired(now: now) != nil { requests += 1 }
        }
        #expect(requests == 5)
    }

    @Test func aCancelledFetchDoesNotCount() {
        _ = schedule.fetches(now: .start + .hours(1))
        schedule.cancelled(now: .start + .hours(1))
        #expect(schedule.record.failures == 0)
        #expect(!schedule.record.isUnderWay)
        #expect(schedule.next == .init(at: .start + .hours(24), reason: .expiry))
    }

    @Test func aReloadThatChangesNothingKeepsTheNextAttemptThePauseAndTheFetch() {
        let schedule = ScheduleUnderTest.running(draw: 0.3)
        let next = schedule.next
        schedule.configured(.tested, now: .start + .hours(1))
        #expect(schedule.next == next)
        let now = schedule.fail()
        let retry = schedule.next
        schedule.configured(.tested, now: now + .seconds(1))
        #expect(schedule.next == retry)
        #expect(retry?.reason == .retry)
        _ = schedule.fetches(now: now + .seconds(2))
        schedule.configured(.tested, now: now + .seconds(2))
        #expect(schedule.isFetching)
        #expect(schedule.next == nil)
    }

    @Test func aShorterIntervalIsInForceAtOnce() {
        var policy = RefreshPolicy.tested
        policy.interval = .hours(1)
        schedule.configured(policy, now: .start + .hours(2))
        #expect(schedule.next == .init(at: .start + .hours(2) + .seconds(30), reason: .startup))
    }

    // MARK: Clocks and suspends

    @Test func whatIsDueAfterASuspendBeginsWithinThirtySecondsHoweverOftenTheMachineWakes() {
        let schedule = ScheduleUnderTest.running(draw: 0.5)
        let now = Timestamp.start + .days(3)
        #expect(schedule.timerFired(now: now) == nil)
        for second in 1..<15 { schedule.clockSet(now: now + .seconds(second)) }
        #expect(schedule.next == .init(at: now + .seconds(15), reason: .startup))
        #expect(schedule.timerFired(now: now + .seconds(15)) != nil)
        // Without a catalog it begins at once.
        let empty = ScheduleUnderTest.started()
        empty.fail()
        #expect(empty.timerFired(now: now) != nil)
    }

    @Test func aCatalogOfAClockTwoYearsAheadCountsAsExpiredOnceTheClockIsRight() {
        let schedule = ScheduleUnderTest.started(now: .start + .days(730))
        _ = schedule.timerFired(now: .start + .days(730))
        schedule.succeeded(.updated, isWhole: true, now: .start + .days(730))
        schedule.clockSet(now: .start)
        #expect(schedule.isExpired(now: .start))
        #expect(schedule.next == .init(at: .start + .seconds(30), reason: .startup))
        #expect(schedule.answered(now: .start + .seconds(1)) != nil)
    }

    @Test func aTimeUpToFiveMinutesAheadIsBelieved() {
        #expect(!ScheduleUnderTest.started(held: .fetched(.start + .minutes(5))).isExpired(now: .start))
        #expect(
            ScheduleUnderTest.started(held: .fetched(.start + .minutes(5) + .seconds(1))).isExpired(now: .start))
    }

    @Test func aPauseOfAClockThatWasAheadEndsWhenTheClockIsRight() {
        let ahead = schedule.fail(status: 503, retryAfter: .days(1)) + .days(3)
        _ = schedule.fetches(now: ahead)
        schedule.failed(retryAfter: .days(1), now: ahead)
        schedule.clockSet(now: .start + .hours(1))
        #expect([schedule.record.notBefore, schedule.record.retryAfter] == [nil, nil])
        #expect(schedule.next?.reason == .startup)
    }

    @Test func aClockSetBackDoesNotKeepAListFromAsking() {
        let schedule = ScheduleUnderTest.started(held: .fetched(.start - .days(2)))
        let now = schedule.fail()
        schedule.clockSet(now: now - .hours(1))
        #expect(schedule.answered(now: now - .hours(1)) != nil)
    }

    // MARK: Routes

    @Test func aRouteEndsAFailuresPauseWithinTwoSecondsAndNeverProlongsIt() {
        for (later, end) in [(10, 12), (59, 60)] {
            let now = schedule.fail()
            schedule.routeAppeared(now: now + .seconds(later))
            #expect(schedule.next == .init(at: now + .seconds(end), reason: .retry))
        }
    }

    @Test func theFirstFailureAfterARouteHasAppearedIsFollowedByAShortPause() {
        let now = schedule.fail(7)
        schedule.routeAppeared(now: now + .seconds(10))
        let failure = schedule.fail()
        #expect(failure == now + .seconds(12))
        #expect(schedule.next == .init(at: failure + .minutes(1), reason: .retry))
    }

    @Test func aRouteThatAppearsDuringAFetchShortensThePauseAfterItsFailure() {
        let now = schedule.fail(7)
        let begin = now + .minutes(2)
        #expect(schedule.fetches(now: begin))
        schedule.routeAppeared(now: begin + .seconds(1))
        schedule.failed(now: begin + .seconds(2))
        #expect(schedule.next == .init(at: begin + .seconds(62), reason: .retry))
    }

    @Test func aRouteDoesNotEndARetryAfter() {
        let schedule = ScheduleUnderTest.running(draw: 0)
        let now = schedule.fail(status: 503, retryAfter: .hours(1))
        schedule.routeAppeared(now: now + .seconds(10))
        #expect(schedule.next == .init(at: now + .hours(1), reason: .retryAfter))
    }

    @Test func withADeadOriginAFlappingRouteCountsOnceInTenMinutes() {
        let now = schedule.fail()
        schedule.routeAppeared(now: now + .seconds(1))
        let second = schedule.fail()
        schedule.routeAppeared(now: second + .seconds(1))
        #expect(schedule.next == .init(at: second + .minutes(1), reason: .retry))
        _ = schedule.fetches(now: now + .seconds(600))
        schedule.failed(now: now + .seconds(600))
        schedule.routeAppeared(now: now + .seconds(601))
        #expect(schedule.next?.at == now + .seconds(603))
    }

    @Test func aRouteDoesNotHastenARefreshThatIsPlanned() {
        let next = schedule.next
        schedule.routeAppeared(now: .start + .hours(1))
        #expect(schedule.next == next)
    }
}
