import Glibc
import PromoWire
import Testing

/// Converting between dates and days since 1970, and adding times.
struct TimestampTests {
    /// As the C library has them.
    @Test(arguments: [-719_162, -135_140, 0, 10_957, 2_750_276])
    func fourHundredYearsOfDaysHaveTheirDates(first: Int) {
        for days in first..<first + 146_097 {
            var (seconds, parts) = (days * 86_400, tm())
            gmtime_r(&seconds, &parts)
            let date = (year: Int64(parts.tm_year) + 1900, month: Int64(parts.tm_mon) + 1, day: Int64(parts.tm_mday))
            let time = Timestamp(seconds: Int64(seconds))
            let found = time.civil.date
            let made = Timestamp(year: date.year, month: date.month, day: date.day, hour: 0, minute: 0, second: 0)
            guard (found.year, found.month, found.day) == date, made == time else {
                Issue.record("Day \(days) is \(found), and \(date) is \(String(describing: made))")
                return
            }
        }
    }

    @Test(arguments: [Int64.min, .max])
    func theCalendarHandlesEveryTimestamp(milliseconds: Int64) {
        let civil = Timestamp(milliseconds: milliseconds).civil
        #expect((0..<86_400).contains(civil.secondOfDay))
        #expect((1...12).contains(civil.date.month))
        #expect((1...31).contains(civil.date.day))
    }

    @Test(
        arguments: [
            (0, 1, 1, 0, 0, 0), (10_000, 1, 1, 0, 0, 0), (2026, 13, 1, 0, 0, 0), (2026, 0, 1, 0, 0, 0),
            (2026, 1, 0, 0, 0, 0), (-4, 2, 29, 0, 0, 0), (2026, 1, 1, 24, 0, 0), (2026, 1, 1, -1, 0, 0),
            (2026, 1, 1, 0, 60, 0), (2026, 1, 1, 0, 0, 60), (2026, 1, 1, 0, 0, -1),
        ] as [(Int64, Int64, Int64, Int64, Int64, Int64)])
    func aTimeThatDoesNotExistIsNil(
        year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64
    ) {
        #expect(Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second) == nil)
    }

    // MARK: Arithmetic

    private static let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))

    @Test func aTimeThatDoesNotFitBecomesTheNearest() {
        let late = [
            Timestamp(seconds: .max), Self.last + .milliseconds(1), Self.last + .seconds(Int64.max),
            Self.last.roundedUpToSecond,
        ]
        #expect(late == Array(repeating: Self.last, count: late.count))
        let early = [
            Timestamp(seconds: .min), Self.first - .milliseconds(1), Self.first + .seconds(Int64.min),
        ]
        #expect(early == Array(repeating: Self.first, count: early.count))
        #expect(Self.last - Self.first == .milliseconds(Int64.max))
        #expect([Int64.min, .max].map { Duration.seconds($0).milliseconds } == [.min, .max])
    }

    @Test func timesAndDurationsAreAddedAndSubtracted() {
        let time = Timestamp(milliseconds: 1000)
        #expect(time + .milliseconds(500) == Timestamp(milliseconds: 1500))
        #expect(time + .seconds(-2) == Timestamp(seconds: -1))
        #expect(time - .milliseconds(1500) == Timestamp(milliseconds: -500))
        #expect(Timestamp(milliseconds: 500) - Timestamp(milliseconds: 1500) == .seconds(-1))
        #expect([-1_999_999, 1_999_999].map { Duration.nanoseconds($0).milliseconds } == [-1, 1])
    }

    @Test(arguments: [
        (0, 0), (1, 1000), (999, 1000), (1000, 1000), (1001, 2000), (-1, 0), (-1000, -1000), (-1001, -1000),
    ])
    func aTimeIsRoundedUpToTheSecondThatIsNotBeforeIt(milliseconds: Int64, rounded: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).roundedUpToSecond == Timestamp(milliseconds: rounded))
    }
}
