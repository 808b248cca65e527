/// Text from outside, as bytes with the equality of bytes.
///
/// `String` compares, hashes, searches and changes the case of text in a normal form, which takes quadratic time on a run of combining
/// marks. So text from outside becomes a `String` only as short ASCII (``ascii(upTo:)``), as ids, names and dates are, or to be shown
/// (``text``, ``shown(upTo:)``), with a limited number of marks on each character.
package struct OutsideText: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// The bytes of the text, in UTF-8 unless it came from a header.
    package let bytes: [UInt8]

    /// Creates a text from its bytes.
    package init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Creates a text from a string of promod's own or of a library.
    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Creates a text from a literal.
    package init(stringLiteral text: String) {
        self.init(text)
    }

    /// Whether it has no bytes.
    package var isEmpty: Bool { bytes.isEmpty }

    /// The text, if it has at most `count` bytes and all of them are printable ASCII.
    package func ascii(upTo count: Int) -> String? {
        guard bytes.count <= count, bytes.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The whole text for a person, with at most ``MarkLimit/maximum`` marks on a character.
    package var text: String {
        let whole = String(decoding: bytes, as: UTF8.self)
        // The lowest marks are U+00AD and U+0300.
        guard bytes.contains(where: { $0 >= 0xC2 }) else { return whole }
        var limit = MarkLimit()
        var scalars = String.UnicodeScalarView()
        for scalar in whole.unicodeScalars where limit.allows(scalar) { scalars.append(scalar) }
        return String(scalars)
    }

    /// ``text``; if it has more Unicode scalars than allowed, its beginning with an ellipsis.
    package func elided(to scalars: Int) -> String {
        // A scalar has at most four bytes.
        guard bytes.count > 4 * scalars else { return text.elided(to: scalars) }
        var beginning = bytes.prefix(4 * scalars)
        // The last scalar may have been cut.
        while let last = beginning.popLast(), last & 0xC0 == 0x80 {}
        return String(OutsideText(beginning).text.unicodeScalars.prefix(scalars - 1)) + "…"
    }

    /// The text for a message, printable; if it is long, its beginning with an ellipsis.
    package func shown(upTo scalars: Int = 64) -> String { elided(to: scalars).printable }

    package var description: String { shown() }

    /// Whether a person sees something of it; empty text, and one of blanks, fillers and other invisible characters, has nothing.
    package var isVisible: Bool {
        bytes.contains { 0x21...0x7E ~= $0 }
            || String(decoding: bytes, as: UTF8.self).unicodeScalars.contains(where: \.isVisible)
    }

    /// Its first character that is not visible ASCII, and so in no id; nil if there is none.
    package var odd: Unicode.Scalar? {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.first { !(0x21...0x7E ~= $0.value) }
    }

    /// ``odd`` as the end of a clause; empty if there is none.
    package var oddity: String { odd.map { ", which has \($0.named)" } ?? "" }
}

/// Limits the marks on each character of a shown text, of which there may be a million, and the emoji joined into one.
struct MarkLimit {
    /// The maximum number of marks on a character, and of joints in one; the flag of a region has six marks, the most in use.
    static let maximum = 8
    private static let joiner: Unicode.Scalar = "\u{200D}"

    private var marks = 0
    private var joints = 0
    private var isJoining = false

    /// Whether the next scalar of the text is shown.
    mutating func allows(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isMark {
            marks += 1
            isJoining = scalar == Self.joiner
            return marks <= Self.maximum
        }
        if isJoining && scalar.isPicture {
            // What is left out joins nothing, so that a limited text is limited to itself.
            guard joints < Self.maximum else { return false }
            joints += 1
        } else {
            joints = 0
        }
        isJoining = false
        marks = 0
        return true
    }
}

extension Unicode.Scalar {
    /// Its number, such as U+0020.
    package var number: String { "U+" + digits }

    /// The hexadecimal digits of its number, at least four.
    var digits: String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(4 - digits.utf8.count, 0)) + digits
    }

    /// The character, if it can be shown, and its number.
    package var named: String {
        let isShown = isVisible && !isMark && String(self).printable.unicodeScalars.first == self
        let isBlank = properties.generalCategory == .spaceSeparator
        return isBlank ? "a blank (\(number))" : isShown ? "“\(self)” (\(number))" : "the character \(number)"
    }

    /// Whether a text of it alone shows something. Unicode has no property for the blank of Braille.
    package var isVisible: Bool {
        guard value > 0xA0 else { return 0x21...0x7E ~= value }
        return value != 0x2800 && !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
    }

    /// Whether it may be one of several emoji that are joined into one.
    fileprivate var isPicture: Bool { value > 0x2000 && properties.isEmoji }

    /// Whether it belongs to the character before it, or is invisible.
    ///
    /// At most one property is looked up, because that costs more than reading the scalar; a test compares the result with the
    /// properties `isGraphemeExtend`, `isDefaultIgnorableCodePoint` and `isEmojiModifier`.
    var isMark: Bool {
        guard value >= 0x300 else { return value == 0xAD }
        // Chinese characters and Korean syllables.
        if 0x3400...0x9FFF ~= value || 0xAC00...0xD7A3 ~= value { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        case .otherLetter: [0x115F, 0x1160, 0x3164, 0xFFA0].contains(value)
        case .modifierLetter: 0xFF9E...0xFF9F ~= value
        case .modifierSymbol: 0x1F3FB...0x1F3FF ~= value
        case .format: !Self.isShownFormat(value)
        case .unassigned: properties.isDefaultIgnorableCodePoint
        default: false
        }
    }

    /// Whether a format character is visible, as those before numbers and around hieroglyphs are.
    private static func isShownFormat(_ value: UInt32) -> Bool {
        switch value {
        case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0xFFF9...0xFFFB, 0x110BD, 0x110CD, 0x13430...0x1343F:
            true
        default: false
        }
    }
}
