extension Sequence<UInt8> {
    /// The bytes as ASCII, with escapes for controls, blanks, bytes beyond ASCII, and those of a set.
    package func escaped(_ set: Set<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in self {
            if 0x21...0x7E ~= byte, !set.contains(byte) {
                text.append(byte)
            } else {
                text += (byte < 16 ? "%0" : "%").utf8
                text += String(byte, radix: 16, uppercase: true).utf8
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes with percent escapes decoded; a percent sign that begins none stays.
    var unescaped: [UInt8] {
        var (bytes, rest) = ([UInt8](), Array(self)[...])
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexadecimalDigit) {
                bytes.append(UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? byte)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}

extension StringProtocol {
    /// The text with escapes for what RFC 3986 forbids in a path, a query or a fragment, such as a percent sign that begins no escape.
    var strictlyEscaped: String {
        let forbidden = Set("[]{}|^`\\#".utf8)
        let parts = utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: parts[0].escaped(forbidden)) { text, part in
            let isEscape = part.count > 1 && part.prefix(2).allSatisfy(\.isHexadecimalDigit)
            text += (isEscape ? "%" : "%25") + part.escaped(forbidden)
        }
    }
}
