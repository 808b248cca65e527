extension Timestamp {
    // RFC 3339 can express the years 1 to 9999.
    private static let earliest = Timestamp(seconds: -62_135_596_800)
    private static let latest = Timestamp(seconds: 253_402_300_799)

    /// The time as RFC 3339 writes it in UTC, in whole seconds: `2026-11-21T01:09:00Z`.
    ///
    /// Fractions of a second are dropped, and a time outside the years 1 to 9999 becomes the nearest one inside them.
    package var rfc3339: String {
        String(decoding: rfc3339Bytes, as: UTF8.self)
    }

    /// The ASCII bytes of ``rfc3339``.
    package var rfc3339Bytes: [UInt8] {
        let (date, secondOfDay) = min(max(self, Self.earliest), Self.latest).civil
        let values = [date.year, date.month, date.day, secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60]
        var bytes = Self.template
        for (field, value) in zip(Self.fields, values) {
            var rest = value
            for index in field.reversed() {
                bytes[index] += UInt8(rest % 10)
                rest /= 10
            }
        }
        return bytes
    }

    private static let template = Array("0000-00-00T00:00:00Z".utf8)
    /// The positions of year, month, day, hour, minute and second in the template.
    private static let fields = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19]

    /// The length of ``rfc3339``, in bytes.
    static let length = 20

    /// Parses the form of ``rfc3339``; nil for anything else, and for a day that does not exist.
    package init?(rfc3339 text: String) {
        guard text.utf8.count == Self.length else { return nil }
        let bytes = Array(text.utf8)
        guard zip(bytes, Self.template).allSatisfy({ $1 == UInt8(ascii: "0") ? $0.isDigit : $0 == $1 }) else {
            return nil
        }
        let values = Self.fields.map { field in
            bytes[field].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        self.init(
            year: values[0], month: values[1], day: values[2], hour: values[3], minute: values[4], second: values[5])
    }

    /// The time of a date and time of day in UTC; nil if there is no such date or time of day.
    package init?(year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[Int(month) - 1] else { return nil }
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        self.init(seconds: days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// The Gregorian date in UTC and the second of that day.
    package var civil: (date: (year: Int64, month: Int64, day: Int64), secondOfDay: Int64) {
        let seconds = milliseconds.flooredDivision(by: 1000)
        let days = seconds.flooredDivision(by: 86_400)
        return (Self.date(daysSinceEpoch: days), seconds - days * 86_400)
    }

    // In both conversions the year begins on 1 March, so that a leap day is its last day, and eras of 400 years (146,097 days) count from
    // 1 March of year 0, which is 719,468 days before the Unix epoch.

    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.flooredDivision(by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func date(daysSinceEpoch days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.flooredDivision(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
