import PromoWire
import Testing

/// Converting between dates and days since 1970.
struct TimestampCalendarTests {
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

    @Test(arguments: [0, 1, 59, 60, 3599, 3600, 43_200, 86_399] as [Int64])
    func theSecondOfTheDayIsCountedFromMidnight(second: Int64) {
        for day in [-719_162, -1, 0, 20_778] as [Int64] {
            let time = Timestamp(seconds: day * 86_400 + second)
            #expect(time.civil.secondOfDay == second)
            #expect(time.civil.date == Timestamp(seconds: day * 86_400).civil.date)
        }
    }

    @Test func hourMinuteAndSecondAreAddedToTheDay() {
        let time = Timestamp(year: 1970, month: 1, day: 2, hour: 3, minute: 4, second: 5)
        #expect(time == Timestamp(seconds: 86_400 + 3 * 3600 + 4 * 60 + 5))
    }

    @Test(arguments: [Int64.min, .max])
    func theCalendarHandlesEveryTimestamp(milliseconds: Int64) {
        let civil = Timestamp(milliseconds: milliseconds).civil
        #expect((0..<86_400).contains(civil.secondOfDay))
        #expect((1...12).contains(civil.date.month))
        #expect((1...31).contains(civil.date.day))
    }

    @Test(arguments: [(0, 1, 1), (10_000, 1, 1), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, -1), (-4, 2, 29)])
    func aDateOutsideTheYears1To9999IsNil(year: Int64, month: Int64, day: Int64) {
        #expect(Timestamp(year: year, month: month, day: day, hour: 0, minute: 0, second: 0) == nil)
    }

    @Test(arguments: [(24, 0, 0), (-1, 0, 0), (0, 60, 0), (0, -1, 0), (0, 0, 60), (0, 0, -1)])
    func aTimeOfDayThatDoesNotExistIsNil(hour: Int64, minute: Int64, second: Int64) {
        #expect(Timestamp(year: 2026, month: 1, day: 1, hour: hour, minute: minute, second: second) == nil)
    }
}
