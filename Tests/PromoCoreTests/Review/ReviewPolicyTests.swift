import PromoCore
import PromoWire
import Testing

@Suite struct ReviewPolicyTests {
    private let policy = ReviewPolicy()
    private static let instant = Duration.milliseconds(1)

    @Test func theDefaultsAreThoseOfTheProtocol() {
        #expect(policy.minimumCompletions == 3)
        #expect(policy.minimumDaysSinceFirstLaunch == 7)
        #expect(policy.minimumDaysSinceLastRequest == 30)
        #expect(policy.maximumPerYear == 3)
    }

    @Test func exactlyThreeCompletionsAreEnoughAndTwoAreNot() {
        #expect(policy.judge(completed: 3).isEligible)
        #expect(policy.judge(completed: 2).reasons == [.tooFewCompletions])
        #expect(policy.judge(completed: 0).reasons == [.tooFewCompletions])
        #expect(policy.judge(completed: .max).isEligible)
    }

    @Test(arguments: [instant, .seconds(1)])
    func exactlySevenDaysAreEnoughAndAnInstantLessIsNot(instant: Duration) {
        #expect(policy.judge(launched: .seconds(604_800)).isEligible)
        let verdict = policy.judge(launched: .seconds(604_800) - instant)
        #expect(verdict.reasons == [.tooSoonAfterFirstLaunch])
        #expect(verdict.eligibleAt == .start + instant)
    }

    @Test(arguments: [instant, .seconds(1)])
    func exactlyThirtyDaysAreEnoughAndAnInstantLessIsNot(instant: Duration) {
        #expect(policy.judge(requested: [.seconds(2_592_000)]).isEligible)
        let verdict = policy.judge(requested: [.seconds(2_592_000) - instant])
        #expect(verdict.reasons == [.tooSoonAfterLastRequest])
        #expect(verdict.eligibleAt == .start + instant)
    }

    @Test func theLatestRequestIsTheOneThatCountsWhateverTheirOrder() {
        #expect(policy.judge(requested: [.days(1), .days(200)]).reasons == [.tooSoonAfterLastRequest])
        #expect(policy.judge(requested: [.days(200), .days(1)]).reasons == [.tooSoonAfterLastRequest])
    }

    // MARK: The year

    @Test(arguments: [instant, .seconds(1)])
    func aRequestCountsWhileItIsLessThan365DaysOld(instant: Duration) {
        let year = Duration.seconds(31_536_000)
        #expect(policy.judge(requested: [year, .days(200), .days(100)]).isEligible)
        let verdict = policy.judge(requested: [year - instant, .days(200), .days(100)])
        #expect(verdict.reasons == [.yearlyLimit])
        #expect(verdict.eligibleAt == .start + instant)
    }

    @Test func twoRequestsInAYearLeaveRoomForOne() {
        #expect(policy.judge(requested: [.days(364), .days(30)]).isEligible)
    }

    @Test func aYearIs365DaysInALeapYearToo() throws {
        // The next 365 days include a 29 February.
        let start = try #require(Timestamp(rfc3339: "2028-02-01T12:00:00Z"))
        let record = ReviewRecord(firstLaunch: start, requests: [start, start + .days(40), start + .days(80)])
        let end = try #require(Timestamp(rfc3339: "2029-01-31T12:00:00Z"))
        #expect(policy.judge(record, completed: 3, now: end - Self.instant).eligibleAt == end)
        #expect(policy.judge(record, completed: 3, now: end).isEligible)
    }

    @Test func withMoreRequestsThanAllowedTheLatestDecide() {
        // The five requests were granted under another limit. Three of them must become a year old.
        let ages = [360, 300, 200, 100, 50].map { Duration.days($0) }
        let verdict = policy.judge(requested: ages)
        #expect(verdict.reasons == [.yearlyLimit])
        #expect(verdict.eligibleAt == .start + .days(165))
        #expect(!policy.judge(requested: ages, now: .start + .days(165) - Self.instant).isEligible)
        #expect(policy.judge(requested: ages, now: .start + .days(165)).isEligible)
    }

    @Test func zeroTurnsTheYearlyLimitOff() {
        var policy = policy
        policy.maximumPerYear = 0
        #expect(policy.judge(requested: (30..<365).map { .days($0) }).isEligible)
        #expect(policy.judge(requested: (0..<365).map { .days($0) }).reasons == [.tooSoonAfterLastRequest])
    }

    @Test(arguments: [1, 2, 5, 366])
    func anyOtherLimitHoldsExactly(limit: Int) {
        var policy = policy
        policy.maximumPerYear = limit
        policy.minimumDaysSinceLastRequest = 0
        let ages = (0..<limit).map { Duration.hours($0) }
        #expect(policy.judge(requested: Array(ages.dropLast())).isEligible)
        #expect(policy.judge(requested: ages).reasons == [.yearlyLimit])
        #expect(policy.judge(requested: ages).eligibleAt == .start + .days(365) - .hours(limit - 1))
    }

    // MARK: Other numbers

    @Test func configuredNumbersReplaceTheDefaults() {
        var policy = policy
        policy.minimumCompletions = 10
        policy.minimumDaysSinceFirstLaunch = 2
        policy.minimumDaysSinceLastRequest = 90
        #expect(policy.judge(launched: .days(2), completed: 10).isEligible)
        #expect(policy.judge(launched: .days(2), completed: 9).reasons == [.tooFewCompletions])
        #expect(policy.judge(launched: .days(2) - Self.instant, completed: 10).reasons == [.tooSoonAfterFirstLaunch])
        #expect(policy.judge(requested: [.days(90)], completed: 10).isEligible)
        #expect(
            policy.judge(requested: [.days(90) - Self.instant], completed: 10).reasons == [.tooSoonAfterLastRequest])
    }

    @Test func withAllNumbersZeroOnlyTheLaunchIsAskedFor() {
        var policy = policy
        policy.minimumCompletions = 0
        policy.minimumDaysSinceFirstLaunch = 0
        policy.minimumDaysSinceLastRequest = 0
        policy.maximumPerYear = 0
        #expect(policy.judge(launched: .zero, requested: [.zero], completed: 0).isEligible)
        #expect(policy.judge(nil, completed: 0, now: .start).reasons == [.neverLaunched])
    }

    @Test func theLargestNumbersOfTheConfigurationWork() {
        var policy = policy
        policy.minimumCompletions = 1_000_000
        policy.minimumDaysSinceFirstLaunch = 3650
        policy.minimumDaysSinceLastRequest = 3650
        let verdict = policy.judge(launched: .zero, requested: [.zero], completed: 999_999)
        #expect(verdict.reasons == [.tooFewCompletions, .tooSoonAfterFirstLaunch, .tooSoonAfterLastRequest])
        #expect(verdict.eligibleAt == .start + .days(3650))
    }

    // MARK: The clock

    @Test func aTimeAtMostFiveMinutesAheadIsBelieved() {
        let verdict = policy.judge(launched: .zero - .minutes(5))
        #expect(verdict.reasons == [.tooSoonAfterFirstLaunch])
        #expect(verdict.eligibleAt == .start + .minutes(5) + .days(7))
    }

    @Test(arguments: [Duration.minutes(5) + .milliseconds(1), .days(100), .days(80 * 365)])
    func aTimeFarAheadOfTheClockCountsAsNow(ahead: Duration) {
        let launched = policy.judge(launched: .zero - ahead)
        #expect(launched.reasons == [.tooSoonAfterFirstLaunch])
        #expect(launched.eligibleAt == .start + .days(7))
        let requested = policy.judge(requested: [.zero - ahead])
        #expect(requested.reasons == [.tooSoonAfterLastRequest])
        #expect(requested.eligibleAt == .start + .days(30))
    }

    @Test func requestsInTheFutureCountForTheYearToo() {
        let verdict = policy.judge(requested: [.days(40), .zero - .days(1), .zero - .days(2)])
        #expect(verdict.reasons == [.tooSoonAfterLastRequest, .yearlyLimit])
        #expect(verdict.eligibleAt == .start + .days(325))
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max])
    func noTimeTraps(milliseconds: Int64) {
        let time = Timestamp(milliseconds: milliseconds)
        let record = ReviewRecord(firstLaunch: time, requests: [time, time, time])
        for now in [Timestamp(milliseconds: .min), .start, Timestamp(milliseconds: .max)] {
            let verdict = policy.judge(record, completed: 3, now: now)
            #expect(verdict.isEligible == (verdict.eligibleAt == nil))
        }
    }
}
