/// A time in milliseconds, by the monotonic clock.
package typealias Milliseconds = Int64

extension Duration {
    /// The duration in whole milliseconds, rounded toward zero and clamped to 64 bits.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}

extension Duration {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// The form of a duration, for messages and help.
    package static let form = "a duration such as 90s, 5m, 2h, 3d or 1h30m"

    /// Parses a duration such as `500ms`, `30s`, `24h`, `3d` or `1h30m`: numbers with units, the largest first, each unit at most once; nil
    /// for anything else.
    package init?(configured text: String) {
        guard var rest = OutsideText(text).ascii(upTo: 32)?[...], !rest.isEmpty else { return nil }
        var (total, units): (Int64, ArraySlice) = (0, Self.units[...])
        while !rest.isEmpty {
            let digits = rest.prefix(while: \.isNumber)
            let suffix = rest.dropFirst(digits.count).prefix { !$0.isNumber }
            guard let number = Int64(digits), let place = units.firstIndex(where: { $0.suffix == suffix }) else {
                return nil
            }
            let (part, isTooLong) = number.multipliedReportingOverflow(by: units[place].milliseconds)
            let (sum, isSumTooLong) = total.addingReportingOverflow(part)
            guard !isTooLong, !isSumTooLong else { return nil }
            (total, units) = (sum, units[..<place])
            rest = rest.dropFirst(digits.count + suffix.count)
        }
        self = .milliseconds(total)
    }

    /// The duration in the form of the configuration, in the largest unit up to hours in which it is a whole number.
    package var configured: String {
        let unit = Self.units.dropLast().last { milliseconds.isMultiple(of: $0.milliseconds) && milliseconds != 0 }
        guard let unit else { return "0s" }
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
}
