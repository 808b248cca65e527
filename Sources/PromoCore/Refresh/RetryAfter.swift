package import PromoWire

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
