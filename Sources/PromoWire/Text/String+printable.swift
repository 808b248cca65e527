/// Makes text from an untrusted source safe to show on a terminal.
extension String {
    /// The text without control over a terminal: control characters become their pictures, line breaks become spaces, marks that reorder
    /// a line are removed, and each character has at most ``MarkLimit/maximum`` combining marks.
    package var printable: String {
        var limit = MarkLimit()
        guard unicodeScalars.contains(where: { $0.shown != $0 || !limit.allows($0) }) else { return self }
        limit = MarkLimit()
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let shown = scalar.shown, limit.allows(shown) { result.append(shown) }
        }
        return String(result)
    }
}

extension Unicode.Scalar {
    /// The scalar to show in place of this one; nil if it is removed.
    fileprivate var shown: Unicode.Scalar? {
        switch value {
        case 0x09...0x0D, 0x2028, 0x2029: " "
        case 0x00...0x1F: Unicode.Scalar(0x2400 + value)
        case 0x7F: "\u{2421}"
        case 0x80...0x9F: "\u{FFFD}"
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: nil
        default: self
        }
    }
}

extension ArraySlice<UInt8> {
    /// The JSON with the control characters in its strings escaped, so that it cannot control a terminal and means the same to a program.
    package var printableJSON: [UInt8] {
        var result: [UInt8] = []
        var rest = self
        while let byte = rest.popFirst() {
            guard let control = Self.control(byte, rest) else {
                result.append(byte)
                continue
            }
            rest = rest.dropFirst(control.following)
            result += Array("\\u".utf8) + (0..<4).reversed().map { Self.digit(control.unit >> (4 * $0) & 15) }
        }
        return result
    }

    private static func digit(_ value: UInt16) -> UInt8 { UInt8(value) + UInt8(ascii: value < 10 ? "0" : "W") }

    /// DEL, a control of the C1 set (U+0080 to U+009F), a line separator (U+2028, U+2029), a byte order mark (U+FEFF), or a mark that
    /// reorders a line (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069). A string of JSON cannot contain other controls.
    private static func control(_ byte: UInt8, _ rest: ArraySlice<UInt8>) -> (unit: UInt16, following: Int)? {
        let (second, third) = (rest.first ?? 0, rest.dropFirst().first ?? 0)
        switch (byte, second, third) {
        case (0x7F, _, _): return (0x7F, 0)
        case (0xC2, 0x80...0x9F, _): return (UInt16(second), 1)
        case (0xD8, 0x9C, _): return (0x061C, 1)
        case (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xA8...0xAE): return (0x2000 + UInt16(third & 0x3F), 2)
        case (0xE2, 0x81, 0xA6...0xA9): return (0x2040 + UInt16(third & 0x3F), 2)
        case (0xEF, 0xBB, 0xBF): return (0xFEFF, 2)
        default: return nil
        }
    }
}
