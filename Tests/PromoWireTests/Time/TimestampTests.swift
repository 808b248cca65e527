import PromoWire
import Testing

/// Converting between dates and days since 1970, and adding times.
struct TimestampTests {
    /// A reference calendar that knows only which day follows another.
    private struct Day: Equatable {
        var year: Int64
        var month: Int64
        var day: Int64

        private var length: Int64 {
            switch month {
            case 4, 6, 9, 11: 30
            case 2: year.isMultiple(of: 400) || (year.isMultiple(of: 4) && !year.isMultiple(of: 100)) ? 29 : 28
            default: 31
            }
        }

        mutating func goOn() {
            if day < length {
                day += 1
            } else if month < 12 {
                (month, day) = (month + 1, 1)
            } else {
                (year, month, day) = (year + 1, 1, 1)
            }
        }
    }

    @Test(arguments: [(1, -719_162), (1600, -135_140), (1970, 0), (2000, 10_957), (9500, 2_750_276)])
    func fourHundredYearsOfDaysFollowOneAnother(year: Int64, daysSince1970: Int64) {
        var day = Day(year: year, month: 1, day: 1)
        for days in daysSince1970..<daysSince1970 + 146_097 {
            let time = Timestamp(seconds: days * 86_400)
            let date = time.civil.date
            let made = Timestamp(year: day.year, month: day.month, day: day.day, hour: 0, minute: 0, second: 0)
            guard Day(year: date.year, month: date.month, day: date.day) == day, made == time else {
                Issue.record("Day \(days) is \(date), and \(day) is \(String(describing: made))")
                return
            }
            day.goOn()
        }
        #expect(day == Day(year: year + 400, month: 1, day: 1))
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
            (2026, 1, 0, 0, 0, 0),
            (-4, 2, 29, 0, 0, 0), (2026, 1, 1, 24, 0, 0), (2026, 1, 1, -1, 0, 0), (2026, 1, 1, 0, 60, 0),
            (2026, 1, 1, 0, 0, 60),
            (2026, 1, 1, 0, 0, -1),
        ] as [(Int64, Int64, Int64, Int64, Int64, Int64)])
    func aTimeThatDoesNotExistIsNil(
        year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64
    ) {
        #expect(Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second) == nil)
    }

    // MARK: Arithmetic

    private static let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))

    @Test func aTimeThatDoesNotFitBecomesTheNearest() {
        #expect(Timestamp(seconds: .max) == Self.last && Timestamp(seconds: .min) == Self.first)
        #expect(Self.last + .milliseconds(1) == Self.last && Self.first - .milliseconds(1) == Self.first)
        #expect(Self.last + .seconds(Int64.max) == Self.last && Self.first + .seconds(Int64.min) == Self.first)
        #expect(Self.last - Self.first == .milliseconds(Int64.max) && Self.first < Self.last)
        #expect(Duration.seconds(Int64.max).milliseconds == .max && Duration.seconds(Int64.min).milliseconds == .min)
        #expect(Self.last.roundedUpToSecond == Self.last)
    }

    @Test func timesAndDurationsAreAddedAndSubtracted() {
        let time = Timestamp(milliseconds: 1000)
        #expect(
            time + .milliseconds(500) == Timestamp(milliseconds: 1500) && time + .seconds(-2) == Timestamp(seconds: -1))
        #expect(time - .milliseconds(1500) == Timestamp(milliseconds: -500))
        #expect(Timestamp(milliseconds: 500) - Timestamp(milliseconds: 1500) == .seconds(-1))
        #expect(
            Duration.nanoseconds(-1_999_999).milliseconds == -1 && Duration.nanoseconds(1_999_999).milliseconds == 1)
    }

    @Test(arguments: [
        (0, 0), (1, 1000), (999, 1000), (1000, 1000), (1001, 2000), (-1, 0), (-1000, -1000), (-1001, -1000),
    ])
    func aTimeIsRoundedUpToTheSecondThatIsNotBeforeIt(milliseconds: Int64, rounded: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).roundedUpToSecond == Timestamp(milliseconds: rounded))
    }
}
