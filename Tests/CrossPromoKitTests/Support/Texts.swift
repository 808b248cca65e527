import PromoTestSupport

/// Texts of kinds that terminals are known to get wrong.
enum Texts {
    private static let pieces = [
        "a", "B", "7", " ", "é", "e\u{301}", "독", "日", "ｱ", "Ａ", "🍅", "👩‍👩‍👧", "🇰🇷", "🇰", "1️⃣", "❤️", "☺", "\u{301}",
        "\u{200D}",
        "\u{FE0F}", "ß", "ﬁ", "क्षि", "ก็", "ـ", "م", "\u{1B}[31m", "\n", "\u{202E}", "…", "…", "\u{AD}", "\u{3000}",
        "\u{0}", "-", "]",
        "ᄀ", "ᅡ", "ᆨ", "\u{E000}", "\u{10FFFD}", "ǅ", "ŉ",
    ]

    /// A random text of at most `count` pieces.
    static func random(_ count: Int, using generator: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...count, using: &generator) {
            text += pieces.randomElement(using: &generator) ?? ""
        }
        return text
    }
}

extension String {
    /// The text without escape sequences for colours (CSI m) and links (OSC 8).
    var withoutSequences: String {
        var result = String.UnicodeScalarView()
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1B}" else {
                result.append(scalar)
                continue
            }
            if rest.first == "[" {
                rest = rest.drop { $0 != "m" }.dropFirst()
            } else {
                rest = rest.drop { $0 != "\\" }.dropFirst()
            }
        }
        return String(result)
    }
}
