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
    /// The JSON with the characters in its strings escaped that ``Swift/String/printable`` replaces, and byte order marks, so that it cannot
    /// control a terminal and means the same to a program. A string of JSON has no controls below U+007F.
    package var printableJSON: [UInt8] {
        String(decoding: self, as: UTF8.self).unicodeScalars.reduce(into: []) { bytes, scalar in
            if scalar.value >= 0x7F, scalar.shown != scalar || scalar == "\u{FEFF}" {
                bytes += ("\\u" + scalar.digits.lowercased()).utf8
            } else {
                bytes += scalar.utf8
            }
        }
    }
}
