import PromoCore
import PromoWire
import Testing

/// The header `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date in one of the forms of section 5.6.7.
@Suite struct RetryAfterTests {
    /// 10 s before the example that RFC 9110 gives in each form.
    private let now = Timestamp(rfc3339: "1994-11-06T08:49:27Z") ?? .start

    /// RFC 9110, section 10.2.3: a delay is one or more digits.
    @Test(
        arguments: [
            ("0", Duration.zero), ("120", .seconds(120)), ("007", .seconds(7)), (" 30 ", .seconds(30)),
            ("86400", .hours(24)),
        ] as [(OutsideText, Duration)])
    func digitsAreSeconds(value: OutsideText, delay: Duration) {
        #expect(RetryAfter.delay(value, now: .start) == delay)
    }

    /// RFC 9110, section 5.5: white space around a value is no part of it, neither spaces nor tabs.
    @Test(arguments: [" 30", "30 ", "\t30", "30\t", " \t 30 \t "])
    func whiteSpaceAroundAValueDoesNotMatter(value: OutsideText) {
        #expect(RetryAfter.delay(value, now: .start) == .seconds(30))
    }

    /// RFC 9110, section 5.6.7: a recipient must accept all three forms, IMF-fixdate, rfc850-date and asctime-date.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func eachOfTheThreeDatesIsRead(value: OutsideText) {
        #expect(RetryAfter.delay(value, now: now) == .seconds(10))
    }

    /// RFC 9110, section 5.6.7: recipients are encouraged to be robust.
    @Test(arguments: [
        "Mon, 06 Nov 1994 08:49:37 GMT", "Tuesday, 06-Nov-94 08:49:37 GMT", "Wed Nov  6 08:49:37 1994",
    ])
    func theNameOfTheDayIsNotComparedWithTheDate(value: OutsideText) {
        #expect(RetryAfter.delay(value, now: now) == .seconds(10))
    }

    private static let months: [(String, Int64)] = [
        ("Jan", 1), ("Feb", 2), ("Mar", 3), ("Apr", 4), ("May", 5), ("Jun", 6), ("Jul", 7), ("Aug", 8), ("Sep", 9),
        ("Oct", 10), ("Nov", 11), ("Dec", 12),
    ]

    /// RFC 9110, section 5.6.7: the names of months.
    @Test(arguments: months)
    func eachMonthHasItsName(name: String, month: Int64) throws {
        let now = try #require(Timestamp(year: 2026, month: month, day: 9, hour: 23, minute: 59, second: 0))
        #expect(RetryAfter.delay("Sat, 10 \(name) 2026 00:00:00 GMT", now: now) == .minutes(1))
        #expect(RetryAfter.delay("Saturday, 10-\(name)-26 00:00:00 GMT", now: now) == .minutes(1))
        #expect(RetryAfter.delay("Sat \(name) 10 00:00:00 2026", now: now) == .minutes(1))
    }

    /// RFC 9110, section 5.6.7: a time of day may be 23:59:60, which is as good as the second before it or after it.
    @Test(arguments: [
        "Sat, 31 Dec 2016 23:59:60 GMT", "Saturday, 31-Dec-16 23:59:60 GMT", "Sat Dec 31 23:59:60 2016",
    ])
    func aLeapSecondIsATimeOfDay(value: OutsideText) throws {
        let now = try #require(Timestamp(rfc3339: "2016-12-31T23:59:50Z"))
        let delay = try #require(RetryAfter.delay(value, now: now))
        #expect((Duration.seconds(9)...Duration.seconds(10)).contains(delay))
    }

    /// RFC 9110, section 10.2.3: the date is when to ask again, which is now if it has passed.
    @Test func aDateInThePastIsADelayOfZero() {
        #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:49:37 GMT", now: .start) == .zero)
    }

    /// The year of now, two digits of a year, and the year that they mean.
    private static let years: [(Int64, String, Int64)] = [
        (1994, "94", 1994), (2026, "26", 2026), (2026, "69", 2069), (2026, "70", 2070), (2026, "75", 2075),
        (2026, "76", 1976), (2026, "77", 1977), (2026, "94", 1994), (2026, "25", 2025), (2069, "70", 2070),
        (2099, "99", 2099), (2099, "00", 2100),
    ]

    /// RFC 9110, section 5.6.7: two digits of a year mean the past if they would be more than 50 years in the future.
    @Test(arguments: years)
    func twoDigitsOfAYearReach50YearsIntoTheFuture(current: Int64, written: String, meant: Int64) throws {
        let now = try #require(Timestamp(year: current, month: 3, day: 1, hour: 0, minute: 0, second: 0))
        let date = try #require(Timestamp(year: meant, month: 3, day: 2, hour: 0, minute: 0, second: 0))
        #expect(RetryAfter.delay("Monday, 02-Mar-\(written) 00:00:00 GMT", now: now) == max(date - now, .zero))
    }

    @Test(arguments: ["99999999999999999999", "9223372036854775807", OutsideText(String(repeating: "9", count: 5000))])
    func moreSecondsThanFitAreAVeryLongDelay(value: OutsideText) throws {
        let delay = try #require(RetryAfter.delay(value, now: .start))
        #expect(delay > .days(365))
        #expect(Timestamp.start + delay > .start)
    }

    @Test(arguments: [
        "", " ", "\t", "-5", "+5", "1.5", "1e3", "5s", "12 0", "soon", "٣", "0x10", ",", "--", "Sun,",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT", "Sun, xx Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov zzzz 08:49:37 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
        "Sun, 06 Nov 12345 08:49:37 GMT", "1994-11-06T08:49:37Z", "Sun Nov 6 08:49:37 1994 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 06 NOV 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 00 Nov 1994 08:49:37 GMT",
    ])
    func aMalformedValueIsNil(value: OutsideText) {
        #expect(RetryAfter.delay(value, now: now) == nil)
    }

    @Test(arguments: ["08:xx:49:37", ":08:49:37", "08::49:37", "08:49:37:"])
    func aMalformedTimeOfDayIsNil(hour: String) {
        #expect(RetryAfter.delay("Sun, 06 Nov 1994 \(hour) GMT", now: now) == nil)
    }
}
