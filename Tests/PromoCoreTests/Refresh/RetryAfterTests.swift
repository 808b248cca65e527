import PromoCore
import PromoWire
import Testing

@Suite struct RetryAfterTests {
    /// 10 s before the example that RFC 9110 gives in each form.
    private let now = Timestamp(rfc3339: "1994-11-06T08:49:27Z") ?? .start

    @Test(arguments: [
        ("0", Duration.zero), ("120", .seconds(120)), ("007", .seconds(7)), (" 30 ", .seconds(30)),
        ("86400", .hours(24)),
    ])
    func digitsAreSeconds(value: String, delay: Duration) {
        #expect(RetryAfter.delay(value, now: .start) == delay)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func eachOfTheThreeDatesIsRead(value: String) {
        #expect(RetryAfter.delay(value, now: now) == .seconds(10))
    }

    @Test func aDateInThePastIsADelayOfZero() {
        #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:49:37 GMT", now: .start) == .zero)
    }

    @Test(arguments: [("69", 2069), ("26", 2026), ("70", 1970), ("94", 1994)])
    func twoDigitsOfAYearSpan1970To2069(written: String, year: Int64) throws {
        let now = try #require(Timestamp(year: year, month: 3, day: 1, hour: 0, minute: 0, second: 0))
        #expect(RetryAfter.delay("Monday, 02-Mar-\(written) 00:00:00 GMT", now: now) == .hours(24))
    }

    @Test(arguments: ["99999999999999999999", "9223372036854775807", String(repeating: "9", count: 5000)])
    func moreSecondsThanFitAreAVeryLongDelay(value: String) throws {
        let delay = try #require(RetryAfter.delay(value, now: .start))
        #expect(delay > .days(365))
        #expect(Timestamp.start + delay > .start)
    }

    @Test(arguments: [
        "", " ", "-5", "+5", "1.5", "1e3", "5s", "12 0", "soon", "٣", "0x10", ",", "--", "Sun,",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT", "Sun, xx Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov zzzz 08:49:37 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
        "Sun, 06 Nov 12345 08:49:37 GMT", "1994-11-06T08:49:37Z", "Sun Nov 6 08:49:37 1994 GMT",
    ])
    func aMalformedValueIsNil(value: String) {
        #expect(RetryAfter.delay(value, now: now) == nil)
    }

    @Test(arguments: ["08:xx:49:37", ":08:49:37", "08::49:37", "08:49:37:"])
    func aMalformedTimeOfDayIsNil(hour: String) {
        #expect(RetryAfter.delay("Sun, 06 Nov 1994 \(hour) GMT", now: now) == nil)
    }
}
