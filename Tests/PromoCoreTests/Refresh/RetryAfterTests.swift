import PromoCore
import PromoWire
import Testing

/// The header `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date in one of the forms of section 5.6.7.
@Suite struct RetryAfterTests {
    /// 10 s before the example that RFC 9110 gives in each form.
    private let now = Timestamp(rfc3339: "1994-11-06T08:49:27Z") ?? .start

    /// RFC 9110, section 10.2.3: a delay is one or more digits; section 5.5: white space around a value is no part of it.
    @Test(
        arguments: [("0", 0), ("120", 120), ("007", 7), (" \t 30 \t ", 30), ("86400", 86_400)] as [(OutsideText, Int)])
    func digitsAreSeconds(value: OutsideText, delay: Int) {
        #expect(RetryAfter.delay(value, now: .start) == .seconds(delay))
    }

    /// RFC 9110, section 5.6.7: a recipient must accept all three forms, and is encouraged to be robust about the name of the day. The
    /// fuzzer's target `dates` has other dates.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Tuesday, 06-Nov-94 08:49:37 GMT", "Wed Nov  6 08:49:37 1994",
    ])
    func eachOfTheThreeDatesIsRead(value: OutsideText) {
        #expect(RetryAfter.delay(value, now: now) == .seconds(10))
        // The date is when to ask again, which is now if it has passed.
        #expect(RetryAfter.delay(value, now: .start) == .zero)
    }

    /// RFC 9110, section 5.6.7: a time of day may be 23:59:60, which is as good as the second before it or after it.
    @Test func aLeapSecondIsATimeOfDay() throws {
        let now = try #require(Timestamp(rfc3339: "2016-12-31T23:59:50Z"))
        let delay = try #require(RetryAfter.delay("Sat, 31 Dec 2016 23:59:60 GMT", now: now))
        #expect((Duration.seconds(9)...Duration.seconds(10)).contains(delay))
    }

    /// The year of now, two digits of a year, and the year that they mean.
    private static let years: [(Int64, String, Int64)] = [
        (1994, "94", 1994), (2026, "26", 2026), (2026, "76", 1976), (2026, "75", 2075), (2026, "25", 2025),
        (2069, "70", 2070), (2099, "00", 2100),
    ]

    /// RFC 9110, section 5.6.7: two digits of a year mean the past if they would be more than 50 years in the future.
    @Test(arguments: years)
    func twoDigitsOfAYearReach50YearsIntoTheFuture(current: Int64, written: String, meant: Int64) throws {
        let now = try #require(Timestamp(year: current, month: 3, day: 1, hour: 0, minute: 0, second: 0))
        let date = try #require(Timestamp(year: meant, month: 3, day: 2, hour: 0, minute: 0, second: 0))
        #expect(RetryAfter.delay("Monday, 02-Mar-\(written) 00:00:00 GMT", now: now) == max(date - now, .zero))
    }

    @Test func moreSecondsThanFitAreAVeryLongDelay() throws {
        let delay = try #require(RetryAfter.delay("99999999999999999999", now: .start))
        #expect(delay > .days(365) && Timestamp.start + delay > .start)
    }

    @Test(arguments: [
        "", "\t", "-5", "1.5", "1e3", "5s", "12 0", "soon", "٣", ",", "Sun,", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08::49:37 GMT",
        "Sun, xx Nov 1994 08:49:37 GMT", "Sun, 06 Nov 12345 08:49:37 GMT", "1994-11-06T08:49:37Z",
        "Sun Nov 6 08:49:37 1994 GMT",
    ])
    func aMalformedValueIsNil(value: OutsideText) {
        #expect(RetryAfter.delay(value, now: now) == nil)
    }
}
