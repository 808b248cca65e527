package import PromoWire

/// Parses HTTP's `Retry-After` header (RFC 9110 §10.2.3): seconds, or a date in any of its three forms.
package enum RetryAfter {
    /// The delay that the origin asks for; zero for a date in the past, nil if the value is not valid.
    package static func delay(_ value: String, now: Timestamp) -> Duration? {
        let text = value.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
            return .seconds(Int64(text) ?? .max / 1000)
        }
        return date(text).map { max($0 - now, .zero) }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov 6 08:49:37 1994`.
    private static func date(_ text: String) -> Timestamp? {
        let fields = text.split { $0 == " " || $0 == "-" || $0 == "," }.map(String.init)
        switch fields.count {
        case 6 where fields[5] == "GMT": return date(day: fields[1], month: fields[2], year: fields[3], time: fields[4])
        case 5: return date(day: fields[2], month: fields[1], year: fields[4], time: fields[3])
        default: return nil
        }
    }

    private static func date(day: String, month: String, year: String, time: String) -> Timestamp? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) ?? -1 }
        guard clock.count == 3, let day = Int64(day), var year = Int64(year), let month = months.firstIndex(of: month)
        else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        return Timestamp(
            year: year, month: Int64(month) + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2])
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
