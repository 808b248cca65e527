extension Duration {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]

    /// Reads a duration such as `500ms`, `30s`, `5m` or `24h`; nil for anything else.
    package init?(configured text: String) {
        guard let text = OutsideText(text).ascii(upTo: 32) else { return nil }
        let digits = text.prefix { $0.isNumber }
        guard let number = Int64(digits),
            let unit = Self.units.first(where: { $0.suffix == text.dropFirst(digits.count) })
        else { return nil }
        let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
        guard !overflow else { return nil }
        self = .milliseconds(milliseconds)
    }

    /// The duration as a configuration writes it, in the largest unit in which it is a whole number.
    package var configured: String {
        let unit = Self.units.last { milliseconds.isMultiple(of: $0.milliseconds) && milliseconds != 0 }
        guard let unit else { return "0s" }
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
}
