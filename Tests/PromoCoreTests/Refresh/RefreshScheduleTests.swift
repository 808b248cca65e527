@testable import PromoCore
import PromoWire
import Testing

/// When the origin is asked by itself: after a success, a failure, a start.
struct RefreshScheduleTests {
    private let schedule = ScheduleUnderTest.running()

    // MARK: Success

    @Test(arguments: [(0.0, 77_760), (1.0, 86_400)])
    func afterASuccessTheOriginIsAskedAgainWithinTheLastTenthOfTheInterval(draw: Double, seconds: Int) {
        let schedule = ScheduleUnderTest.running(draw: draw)
        #expect(schedule.next == .init(at: .start + .seconds(seconds), reason: .expiry))
    }

    @Test func aCatalogExpiresAnIntervalAfterTheReplyArrived() {
        let schedule = ScheduleUnderTest.started()
        _ = schedule.timerFired(now: .start)
        schedule.succeeded(.updated, isWhole: true, arrival: .start, now: .start + .seconds(3))
        #expect(!schedule.isExpired(now: .start + .hours(24) - .milliseconds(1)))
        #expect(schedule.isExpired(now: .start + .hours(24)))
    }

    @Test(arguments: [Duration.seconds(10), .days(30)])
    func anyIntervalIsKept(interval: Duration) {
        var policy = RefreshPolicy.tested
        policy.interval = interval
        let schedule = ScheduleUnderTest.running(policy: policy, draw: 0.5)
        #expect(schedule.next == .init(at: .start + interval * 0.95, reason: .expiry))
        #expect(schedule.isExpired(now: .start + interval))
    }

    @Test func theTimeIsDrawnAnewAtEachStartFromTheTimeOfTheReply() {
        let schedule = ScheduleUnderTest.running(draw: 1)
        let other = schedule.restarted(now: .start + .hours(1), draw: 0)
        #expect(other.next == .init(at: .start + .seconds(77_760), reason: .expiry))
        #expect(!String(decoding: schedule.record.fileBytes, as: UTF8.self).contains("86400"))
    }

    @Test func aSuccessForgetsFailures() {
        schedule.fail(status: 503, retryAfter: .hours(2))
        _ = schedule.timerFired(now: schedule.next?.at ?? .start)
        schedule.succeeded(.unchanged, isWhole: false, now: .start + .days(2))
        #expect(schedule.record.failures == 0)
        #expect([schedule.record.notBefore, schedule.record.retryAfter] == [nil, nil])
        #expect(schedule.record.lastError == nil)
        #expect(schedule.next?.reason == .expiry)
    }

    // MARK: Failure

    @Test(arguments: [0.0, 1.0], [true, false])
    func afterFailuresThePauseDoublesFromAMinuteToAnHourWithOrWithoutACatalog(draw: Double, hasCatalog: Bool) {
        let schedule = hasCatalog ? ScheduleUnderTest.running(draw: draw) : .started(draw: draw)
        for minutes in [1, 2, 4, 8, 16, 32, 60, 60] {
            let now = schedule.fail()
            let pause = Duration.minutes(minutes) * (0.5 + draw / 2)
            #expect(schedule.next == .init(at: now + pause, reason: .retry))
        }
    }

    @Test func aBaseAboveTheCapIsTheCap() {
        var policy = RefreshPolicy.tested
        (policy.base, policy.cap) = (.hours(2), .minutes(30))
        let schedule = ScheduleUnderTest.running(policy: policy)
        let now = schedule.fail()
        #expect(schedule.next?.at == now + .minutes(30))
    }

    @Test(arguments: [
        (0.0, Duration.hours(3), Duration.hours(3), CatalogStatus.Reason.retryAfter),
        (1, .hours(3), .hours(3) + .seconds(30), .retryAfter), (1, .seconds(5), .minutes(1), .retry),
        (1, .zero, .minutes(1), .retry), (0, .days(7), RetryAfter.longest, .retryAfter),
    ])
    func nothingIsAskedBeforeARetryAfterOfUpToADayNorBeforeThePause(
        draw: Double, said: Duration, pause: Duration, reason: CatalogStatus.Reason
    ) {
        let schedule = ScheduleUnderTest.running(draw: draw)
        let now = schedule.fail(status: 503, retryAfter: said)
        #expect(schedule.next == .init(at: now + pause, reason: reason))
    }

    // MARK: Start

    @Test func withoutACatalogTheFirstFetchBeginsAtOnce() {
        #expect(ScheduleUnderTest.started().next == .init(at: .start, reason: .startup))
    }

    @Test(arguments: [0.0, 1.0])
    func whatIsDueAtAStartBeginsWithinThirtySeconds(draw: Double) {
        let schedule = ScheduleUnderTest.started(held: .fetched(.start - .days(3)), draw: draw)
        #expect(schedule.next == .init(at: .start + .seconds(30) * draw, reason: .startup))
    }

    @Test func aBundledCatalogIsExpiredAndDueAtTheStart() {
        let schedule = ScheduleUnderTest.started(held: .bundled)
        #expect(schedule.isExpired(now: .start))
        #expect(schedule.next == .init(at: .start + .seconds(30), reason: .startup))
    }

    @Test func withoutAnOriginNothingIsPlanned() {
        let schedule = ScheduleUnderTest.started(hasOrigin: false)
        #expect(schedule.next == nil)
        #expect(schedule.answered(now: .start) == nil)
        #expect(schedule.refreshRequested(now: .start) == .refuse)
    }

    /// Otherwise all clones of a home, or of an image, would ask at one instant.
    @Test(arguments: [0.0, 1.0], [nil, Duration.hours(3)])
    func aPauseOutlastsAStartAndEndsALittleLaterAtRandom(draw: Double, retryAfter: Duration?) throws {
        let schedule = ScheduleUnderTest.running(draw: 0)
        schedule.fail(7, status: 503, retryAfter: retryAfter)
        let next = try #require(schedule.next)
        let clone = schedule.restarted(now: next.at - .minutes(20), draw: draw)
        #expect(clone.next == .init(at: next.at + .seconds(30) * draw, reason: next.reason))
        // It does not add up, and a later pause does not have it.
        #expect(clone.restarted(now: next.at - .minutes(10), draw: draw).next == clone.next)
        #expect(clone.fail() <= next.at + .seconds(30))
        #expect(clone.next?.reason == .retry)
    }

    @Test func aRetryThatWasDueWhileTheMachineWasOffBeginsWithinThirtySeconds() {
        let schedule = ScheduleUnderTest.running(draw: 0)
        let now = schedule.fail() + .hours(2)
        #expect(schedule.restarted(now: now, draw: 1).next == .init(at: now + .seconds(30), reason: .startup))
    }

    @Test func anAttemptWithoutAnEndCountsAsAFailure() {
        let now = schedule.next?.at ?? .start
        _ = schedule.timerFired(now: now)
        let next = schedule.restarted(now: now + .seconds(2))
        #expect(next.record.failures == 1)
        #expect(next.record.lastError?.code == .interrupted)
        #expect(next.next == .init(at: now + .seconds(62), reason: .retry))
    }

    @Test func aLoopOfCrashesDuringTheFirstFetchIsSlowedDown() {
        var schedule = ScheduleUnderTest.started()
        var times: [Duration] = []
        for _ in 0..<5 {
            let now = schedule.next?.at ?? .start
            times.append(now - .start)
            _ = schedule.timerFired(now: now)
            schedule = schedule.restarted(now: now + .seconds(2))
        }
        #expect(times == [0, 62, 184, 426, 908].map { .seconds($0) })
    }

    // MARK: The record

    @Test func whatIsStoredIsReadBack() {
        schedule.fail(status: 503, retryAfter: .hours(3))
        #expect(RefreshSchedule.Record(fileBytes: schedule.record.fileBytes) == schedule.record)
    }

    @Test(arguments: ["", "[]", "{}", #"{"failures":-1}"#, #"{"failures":1000000001}"#, #"{"failures":"1"}"#])
    func anotherFileIsNoRecord(text: String) {
        #expect(RefreshSchedule.Record(fileBytes: Array(text.utf8)) == nil)
    }

    /// A stored time is rounded up to a second.
    @Test(arguments: [(61, true), (62, false)])
    func aStoredPauseIsBelievedUpToTheSecondAfterTheLongest(seconds: Int, isKept: Bool) {
        var record = RefreshSchedule.Record()
        (record.failures, record.notBefore) = (1, .start + .seconds(seconds))
        let schedule = ScheduleUnderTest.started(record, held: .fetched(.start - .hours(1)))
        #expect((schedule.record.notBefore != nil) == isKept)
    }

    @Test func aStoredWaitLongerThanTheRulesCanSetIsDropped() throws {
        let text = #"{"failures":1,"notBefore":"2027-01-15T08:05:00Z","retryAfter":"2027-01-17T08:00:00Z"}"#
        let record = try #require(RefreshSchedule.Record(fileBytes: Array(text.utf8)))
        let schedule = ScheduleUnderTest.started(record, held: .fetched(.start - .hours(1)))
        #expect([schedule.record.notBefore, schedule.record.retryAfter] == [nil, nil])
        #expect(schedule.next == .init(at: .start + .seconds(30), reason: .startup))
    }
}
