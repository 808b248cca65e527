/// The width of text on a terminal, by Unicode's East Asian Width, because Swift cannot import glibc's `wcwidth`, which also depends
/// on the locale.
extension String {
    /// The width of the text, in columns.
    package var displayWidth: Int {
        reduce(0) { $0 + $1.displayWidth }
    }

    /// The text cut to a width in columns and to 16 Unicode scalars a column, with an ellipsis at the end if it was cut.
    package func truncated(to columns: Int) -> String {
        // Some scripts put any number of scalars into one character.
        let longest = 16 * min(max(columns, 0), 10_000)
        let isLong = !unicodeScalars.dropFirst(longest).isEmpty
        guard isLong || displayWidth > columns else { return self }
        guard columns > 0 else { return "" }
        var width = 0
        let kept = String(unicodeScalars.prefix(longest)).prefix { character in
            width += character.displayWidth
            return width < columns
        }
        return kept + "…"
    }

    /// The text cut or padded with blanks to a width in columns.
    package func fitted(to columns: Int) -> String {
        let text = truncated(to: columns)
        return text + String(repeating: " ", count: max(columns - text.displayWidth, 0))
    }

    /// The text as lines of at most the given width, broken at blanks. A longer word has its own line. A nil width is no limit.
    package func wrapped(to columns: Int?) -> [String] {
        guard let columns else { return [self] }
        var lines: [String] = []
        var width = 0
        for word in split(separator: " ").map(String.init) {
            let wordWidth = word.displayWidth
            if !lines.isEmpty, width + 1 + wordWidth <= columns {
                lines[lines.count - 1] += " " + word
                width += 1 + wordWidth
            } else {
                lines.append(word)
                width = wordWidth
            }
        }
        return lines
    }

    /// The text as lines of at most the given width, each indented by some blanks. A nil width is no limit.
    package func indented(by count: Int, in columns: Int?) -> [String] {
        wrapped(to: columns.map { $0 - count }).map { String(repeating: " ", count: count) + $0 }
    }

    /// The text as lines of at most the given width; all but the first are indented two blanks more than that.
    package func hanging(in columns: Int) -> [String] {
        let indent = String(prefix { $0 == " " })
        let lines = wrapped(to: columns - indent.count - 2)
        return lines.enumerated().map { number, line in indent + (number == 0 ? "" : "  ") + line }
    }
}

extension Character {
    fileprivate var displayWidth: Int {
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
