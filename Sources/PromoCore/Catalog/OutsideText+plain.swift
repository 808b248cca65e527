import PromoWire

/// Texts of a catalog are shown by clients that promod does not know, in terminals, windows and logs. So a catalog loses, when it is taken,
/// the characters that would control a terminal, break a line or reorder it, and a text that nobody could see is empty.
extension OutsideText {
    /// The text without such characters; white space among them becomes a blank. Joiners and marks of direction stay, because some
    /// languages and emoji are written with them. A text without a visible character becomes empty.
    var plain: OutsideText {
        guard isVisible else { return "" }
        guard mayHaveControls else { return self }
        var result = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            // A line break of two characters is one blank.
            let isSecondHalf = last == "\r" && scalar == "\n"
            if !scalar.isControl { result.append(scalar) } else if scalar.isBreak, !isSecondHalf { result.append(" ") }
            last = scalar
        }
        return OutsideText(String(result))
    }

    /// The characters that ``plain`` takes out or replaces, each once.
    var controls: [Unicode.Scalar] {
        guard mayHaveControls || !isVisible else { return [] }
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        return Set(isVisible ? scalars.filter(\.isControl) : scalars).sorted()
    }

    /// Whether a byte belongs to such a character, or begins it. Most texts have none.
    private var mayHaveControls: Bool {
        bytes.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }
    }
}

extension Unicode.Scalar {
    /// Whether it is a control of the C0 or C1 set, DEL, a separator of lines or paragraphs, or reorders the text around it.
    fileprivate var isControl: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether it is white space among the controls.
    fileprivate var isBreak: Bool {
        switch value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
