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

    private func verdict(
        _ age: Duration? = nil, _ date: OutsideText? = nil, before: Duration? = nil
    ) -> ResponseAge.Verdict {
        ResponseAge(age: age, date: date).verdict(now: now, before: before)
    }

    @Test func aResponseThatSaysNothingIsNew() {
        #expect(verdict() == .init(age: .zero, clockAhead: nil, isCertain: false))
        #expect(verdict(nil, "yesterday") == .init(age: .zero, clockAhead: nil, isCertain: false))
    }

    @Test func aCacheThatSaysItsAgeIsBelieved() {
        #expect(verdict(.seconds(777_600)).age == .days(9))
        #expect(verdict(.days(1), Self.dayBefore) == .init(age: .days(1), clockAhead: .zero, isCertain: true))
        #expect(verdict(.days(4000)).age == .days(365))
    }

    @Test func aDateTellsOfTheClockIfTheAgeIsKnown() {
        #expect(verdict(.zero, Self.dayBefore) == .init(age: .zero, clockAhead: .days(1), isCertain: true))
        #expect(verdict(.hours(2), Self.date) == .init(age: .hours(2), clockAhead: .zero - .hours(2), isCertain: true))
    }

    @Test func aDateInTheFutureIsThatOfAnotherClock() {
        #expect(verdict(nil, Self.dayAfter) == .init(age: .zero, clockAhead: .zero - .days(1), isCertain: true))
    }

    @Test func aDateInThePastIsTheAgeUnlessTheClockWasAsFarAheadBefore() {
        #expect(verdict(nil, Self.dayBefore) == .init(age: .days(1), clockAhead: .days(1), isCertain: false))
        #expect(verdict(nil, Self.dayBefore, before: .hours(7)).age == .days(1))
        let same = verdict(nil, Self.dayBefore, before: .days(1) + .minutes(2))
        #expect(same == .init(age: .zero, clockAhead: .days(1), isCertain: true))
    }

    @Test func fewMinutesAreNeither() {
        let late = ResponseAge(date: Self.date).verdict(now: now + .minutes(5), before: nil)
        #expect(late == .init(age: .zero, clockAhead: .zero, isCertain: true))
        let later = ResponseAge(date: Self.date).verdict(now: now + .minutes(6), before: nil)
        #expect(later.age == .minutes(6))
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
