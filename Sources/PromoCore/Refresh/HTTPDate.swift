package import PromoWire

/// Parses a date of HTTP in any of its three forms (RFC 9110 §5.6.7).
enum HTTPDate {
    /// Parses a date; nil if the value is not one.
    /// - Parameter now: the time by which a year of two digits is read.
    static func parse(_ value: OutsideText, now: Timestamp) -> Timestamp? {
        withSingleBlanks(value).ascii(upTo: maximumLength).flatMap { date($0, now) }
    }

    /// The value with each run of blanks and tabs as one blank, and none at its ends.
    static func withSingleBlanks(_ value: OutsideText) -> OutsideText {
        let words = value.bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return OutsideText(words.joined(separator: " ".utf8))
    }

    /// The maximum length of a date in bytes, far more than any takes.
    static let maximumLength = 128

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov 6 08:49:37 1994`.
    private static func date(_ text: String, _ now: Timestamp) -> Timestamp? {
        let fields = text.split { $0 == " " || $0 == "-" || $0 == "," }.map(String.init)
        switch fields.count {
        case 6 where fields[5] == "GMT": return date(fields[1], fields[2], year: fields[3], time: fields[4], now)
        case 5: return date(fields[2], fields[1], year: fields[4], time: fields[3], now)
        default: return nil
        }
    }

    private static func date(
        _ day: String, _ month: String, year: String, time: String, _ now: Timestamp
    ) -> Timestamp? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) ?? -1 }
        guard clock.count == 3, let day = Int64(day), let written = Int64(year),
            let month = months.firstIndex(of: month)
        else { return nil }
        // A leap second counts as the second before it.
        let second = clock[2] == 60 ? 59 : clock[2]
        func date(in year: Int64) -> Timestamp? {
            Timestamp(year: year, month: Int64(month) + 1, day: day, hour: clock[0], minute: clock[1], second: second)
        }
        guard year.utf8.count == 2 else { return date(in: written) }
        // A date that seems to be more than 50 years ahead is in the past (RFC 9110 §5.6.7).
        let limit = now + .seconds(50 * secondsInYear)
        let century = (1970 + limit.milliseconds / 1000 / secondsInYear) / 100 * 100
        return [century + 100, century, century - 100].lazy.compactMap { date(in: $0 + written) }.first { $0 <= limit }
    }

    /// The average length of a year.
    private static let secondsInYear: Int64 = 31_556_952

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

/// Parses HTTP's `Retry-After` header (RFC 9110 §10.2.3): seconds, or a date in any of its three forms.
package enum RetryAfter {
    /// The longest delay that is honoured.
    package static let longest = Duration.seconds(86_400)

    /// The delay that the origin asks for; zero for a date in the past, nil if the value is not valid.
    package static func delay(_ value: OutsideText, now: Timestamp) -> Duration? {
        let text = HTTPDate.withSingleBlanks(value)
        if !text.isEmpty, text.bytes.allSatisfy(\.isDigit) {
            return .seconds(text.ascii(upTo: HTTPDate.maximumLength).flatMap { Int64($0) } ?? .max / 1000)
        }
        return HTTPDate.parse(text, now: now).map { max($0 - now, .zero) }
    }

    /// The time by which years of two digits are read; any within half a century would do.
    private static let someTime = Timestamp(seconds: 1_800_000_000)

    /// Converts a date to seconds after the response's own date and its age in caches, so that only the origin's clock counts. Any other
    /// value is returned unchanged.
    package static func relative(_ value: OutsideText, to date: OutsideText?, age: Duration) -> OutsideText {
        guard let date = date.flatMap({ HTTPDate.parse($0, now: someTime) }),
            let end = HTTPDate.parse(value, now: someTime)
        else { return value }
        return OutsideText("\(max(end - (date + age), .zero).components.seconds)")
    }
}
