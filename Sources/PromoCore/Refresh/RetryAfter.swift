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

    /// For years of two digits, any time within half a century does.
    private static let someTime = Timestamp(seconds: 1_800_000_000)

    /// A date as seconds from the response's own date and its age in caches, so that no clock but the origin's counts. Anything else is
    /// returned as it is.
    package static func relative(_ value: OutsideText, to age: ResponseAge) -> OutsideText {
        guard let date = age.date.flatMap({ HTTPDate.parse($0, now: someTime) }),
            let end = HTTPDate.parse(value, now: someTime)
        else { return value }
        return OutsideText("\(max(end - (date + (age.age ?? .zero)), .zero).components.seconds)")
    }
}
