import PromoWire

extension JSONValue {
    /// The value as JSON that cannot control a terminal: promod escapes the ASCII controls, and this escapes the others, which
    /// can only occur in strings.
    var printableText: [UInt8] {
        var result: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard let control = Self.control(byte, rest) else {
                result.append(byte)
                continue
            }
            rest = rest.dropFirst(control.following)
            result += Array("\\u".utf8) + (0..<4).reversed().map { Self.digits[Int(control.unit >> (4 * $0) & 15)] }
        }
        return result
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// A control of the C1 set (U+0080 to U+009F), or a mark that reorders a line (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066
    /// to U+2069).
    private static func control(_ byte: UInt8, _ rest: ArraySlice<UInt8>) -> (unit: UInt16, following: Int)? {
        let (second, third) = (rest.first ?? 0, rest.dropFirst().first ?? 0)
        switch (byte, second, third) {
        case (0xC2, 0x80...0x9F, _): return (UInt16(second), 1)
        case (0xD8, 0x9C, _): return (0x061C, 1)
        case (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xAA...0xAE): return (0x2000 + UInt16(third & 0x3F), 2)
        case (0xE2, 0x81, 0xA6...0xA9): return (0x2040 + UInt16(third & 0x3F), 2)
        default: return nil
        }
    }
}
