/// The width of text on a terminal, by Unicode's East Asian Width, because Swift cannot import glibc's `wcwidth`, which also depends
/// on the locale.
extension String {
    /// The width of the text, in columns.
    package var displayWidth: Int {
        reduce(0) { $0 + $1.displayWidth }
    }
}

extension Character {
    /// The width of the character, in columns.
    package var displayWidth: Int {
        let scalars = unicodeScalars
        // A sequence of emoji, such as a flag, is one picture. U+FE0F has that effect only on a character that can be an emoji.
        let isPicture =
            scalars.contains { $0.properties.isEmojiPresentation }
            || scalars.first?.properties.isEmoji == true && scalars.contains("\u{FE0F}")
        return isPicture ? 2 : scalars.reduce(0) { $0 + $1.displayWidth }
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        if value < 0x300 { return value < 0x20 || (0x7F...0x9F).contains(value) || value == 0xAD ? 0 : 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if Self.jamo.contains(where: { $0.contains(value) }) || properties.isDefaultIgnorableCodePoint { return 0 }
        return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// The vowels and finals of Hangul, which share the columns of the initial before them.
    private static let jamo: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FF]

    /// The blocks of wide and full-width characters (UAX #11), without emoji, which have a property of their own.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
