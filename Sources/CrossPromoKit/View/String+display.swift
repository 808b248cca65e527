import PromoWire

/// Text in lines of a terminal.
extension String {
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

    private static let kana: ClosedRange<Unicode.Scalar> = "\u{3040}"..."\u{30FF}"

    /// The text as lines of at most the given width, broken at blanks. A longer word has its own line, or is broken, as Japanese is
    /// anywhere. A nil width is no limit.
    package func wrapped(to columns: Int?, breakingWords: Bool = false) -> [String] {
        guard let columns else { return [self] }
        var lines: [String] = []
        var width = 0
        for word in split(separator: " ").map(String.init) {
            let wordWidth = word.displayWidth
            if !lines.isEmpty, width + 1 + wordWidth <= columns {
                lines[lines.count - 1] += " " + word
                width += 1 + wordWidth
            } else if breakingWords, wordWidth > columns || word.unicodeScalars.contains(where: Self.kana.contains) {
                // As Japanese is set: from where the line ends, and no line begins with a full stop.
                let isBeside = !lines.isEmpty && width + 1 < columns
                var line = isBeside ? lines.removeLast() + " " : ""
                width = isBeside ? width + 1 : 0
                for character in word {
                    if width + character.displayWidth > columns {
                        let carried = "、。」".contains(character) ? line.popLast().map(String.init) ?? "" : ""
                        lines.append(line)
                        (line, width) = (carried, carried.displayWidth)
                    }
                    line.append(character)
                    width += character.displayWidth
                }
                lines.append(line)
            } else {
                lines.append(word)
                width = wordWidth
            }
        }
        return lines
    }
}
