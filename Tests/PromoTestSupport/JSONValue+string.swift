package import PromoWire

extension JSONValue {
    /// The string, unescaped; nil if the value is not a string.
    package var string: String? { outsideText.map { String(decoding: $0.bytes, as: UTF8.self) } }
}
