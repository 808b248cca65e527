@testable import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// How old the origin's word in a response is, and whose clock is wrong.
@Suite struct ResponseAgeTests {
    /// 2027-01-15T08:00:00Z.
    private let now = Timestamp.start

    private static let date: OutsideText = "Fri, 15 Jan 2027 08:00:00 GMT"
    private static let dayBefore: OutsideText = "Thu, 14 Jan 2027 08:00:00 GMT"
    private static let dayAfter: OutsideText = "Sat, 16 Jan 2027 08:00:00 GMT"

    /// The age, how far the clock is ahead, and whether that is certain.
    private func verdict(
        _ age: Duration? = nil, _ date: OutsideText? = nil, before: OriginClock? = nil, now: Timestamp = .start
    ) -> [String] {
        let verdict = ResponseAge(age: age, date: date).verdict(now: now, before: before)
        return ["\(verdict.age)", verdict.clock.map { "\($0.ahead)" } ?? "unknown", "\(verdict.isCertain)"]
    }

    private func expected(_ age: Duration, _ ahead: Duration?, _ isCertain: Bool) -> [String] {
        ["\(age)", ahead.map { "\($0)" } ?? "unknown", "\(isCertain)"]
    }

    @Test func aResponseThatSaysNothingIsNew() {
        #expect(verdict() == expected(.zero, nil, false))
        #expect(verdict(nil, "yesterday") == expected(.zero, nil, false))
    }

    @Test func aCacheThatSaysItsAgeIsBelieved() {
        #expect(verdict(.seconds(777_600)).first == "\(Duration.days(9))")
        #expect(verdict(.days(1), Self.dayBefore) == expected(.days(1), .zero, true))
        #expect(verdict(.days(4000)).first == "\(Duration.days(365))")
    }

    @Test func aDateTellsOfTheClockIfTheAgeIsKnown() {
        #expect(verdict(.zero, Self.dayBefore) == expected(.zero, .days(1), true))
        #expect(verdict(.hours(2), Self.date) == expected(.hours(2), .zero - .hours(2), true))
    }

    @Test func aDateInTheFutureIsThatOfAnotherClock() {
        #expect(verdict(nil, Self.dayAfter) == expected(.zero, .zero - .days(1), true))
    }

    @Test func aDateInThePastIsTheAgeUnlessAnEarlierDateWasAsFarBehind() throws {
        #expect(verdict(nil, Self.dayBefore) == expected(.days(1), .days(1), false))
        let date = try #require(HTTPDate.parse(Self.dayBefore, now: now))
        let clock = OriginClock(date: date - .hours(21), ahead: .days(1) + .minutes(2))
        #expect(verdict(nil, Self.dayBefore, before: clock) == expected(.zero, .days(1), true))
        let other = OriginClock(date: date - .hours(21), ahead: .hours(7))
        #expect(verdict(nil, Self.dayBefore, before: other) == expected(.days(1), .days(1), false))
    }

    /// As a cache without `Age` that is asked twice within minutes answers.
    @Test func theSameDateTwiceIsNoClock() {
        var before: OriginClock?
        for minute in 0..<100 {
            let time = now + .minutes(minute)
            let verdict = ResponseAge(date: Self.dayBefore).verdict(now: time, before: before)
            #expect(!verdict.isCertain && verdict.age == .days(1) + .minutes(minute))
            before = verdict.clock
        }
    }

    @Test func aClockThatIsAheadIsFoundHoweverOftenTheOriginIsAsked() {
        var before: OriginClock?
        var certain = 0
        for minute in 0..<60 {
            // The origin's clock goes on, a day behind.
            let date = OutsideText("Thu, 14 Jan 2027 08:\(minute < 10 ? "0" : "")\(minute):00 GMT")
            let verdict = ResponseAge(date: date).verdict(now: now + .minutes(minute), before: before)
            if verdict.isCertain { certain += 1 }
            before = verdict.clock
        }
        #expect(certain > 0)
    }

    @Test func fewMinutesAreNeither() {
        #expect(verdict(nil, Self.date, now: now + .minutes(5)) == expected(.zero, .minutes(5), true))
        #expect(verdict(nil, Self.date, now: now + .minutes(6)).first == "\(Duration.minutes(6))")
    }

    @Test(arguments: [
        ("Fri, 15 Jan 2027 09:00:00 GMT", "3600"), ("Thu, 14 Jan 2027 09:00:00 GMT", "0"), ("120", "120"),
        ("soon", "soon"),
        ("Friday, 15-Jan-27 10:00:00 GMT", "7200"),
    ]) func aRetryAfterIsRelativeToTheOriginsClock(value: String, expected: String) {
        #expect(RetryAfter.relative(OutsideText(value), to: ResponseAge(date: Self.date)) == OutsideText(expected))
        #expect(RetryAfter.relative(OutsideText(value), to: ResponseAge()) == OutsideText(value))
        #expect(RetryAfter.relative(OutsideText(value), to: ResponseAge(date: "never")) == OutsideText(value))
    }

    @Test func theTimeInACacheIsPartOfAPauseUntilADate() {
        let age = ResponseAge(age: .seconds(600), date: Self.date)
        #expect(RetryAfter.relative("Fri, 15 Jan 2027 09:00:00 GMT", to: age) == "3000")
        #expect(RetryAfter.relative("Fri, 15 Jan 2027 08:05:00 GMT", to: age) == "0")
    }
}
