import CrossPromoKit
import PromoTestSupport
import PromoWire
import Testing

/// Text cut, padded and wrapped to a width.
struct TruncationTests {
    @Test(
        arguments: [
            ("FineBill", 8, "FineBill"), ("FineBill", 7, "FineBi…"), ("FineBill", 1, "…"), ("", 3, ""), ("독서", 4, "독서"),
            ("독서", 3, "독…"), ("독서", 2, "…"), ("a독서", 4, "a독…"), ("🇰🇷🇯🇵", 3, "🇰🇷…"), ("e\u{301}e\u{301}", 1, "…"),
        ])
    func aTextThatIsTooLongEndsWithAnEllipsis(text: String, columns: Int, shown: String) {
        #expect(text.truncated(to: columns) == shown)
    }

    @Test(arguments: [0, -1, -100])
    func inNoColumnsThereIsNothing(columns: Int) {
        #expect("FineBill".truncated(to: columns) == "")
        #expect("FineBill".fitted(to: columns) == "")
    }

    @Test(arguments: [("ab", 4, "ab  "), ("abcde", 4, "abc…"), ("독서", 3, "독…"), ("독서", 2, "… "), ("", 2, "  ")])
    func aFittedTextIsFilledUp(text: String, columns: Int, shown: String) {
        #expect(text.fitted(to: columns) == shown)
    }

    @Test(
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("one two three", 6, ["one", "two", "three"]),
            ("one two three", 13, ["one two three"]), ("one", 1, ["one"]), ("", 5, []), ("   ", 5, []),
            ("a  b", 5, ["a b"]), ("독서 기록 앱", 9, ["독서 기록", "앱"]), ("독서 기록 앱", 8, ["독서", "기록 앱"]),
        ])
    func aTextIsWrappedAtBlanks(text: String, columns: Int, lines: [String]) {
        #expect(text.wrapped(to: columns) == lines)
    }

    @Test func withoutAWidthThereIsOneLine() {
        #expect("one  two".wrapped(to: nil) == ["one  two"])
    }

    @Test(arguments: 1...24)
    func noTextIsEverWiderThanItsColumns(columns: Int) {
        var generator = SeededGenerator(seed: UInt64(columns))
        for _ in 0..<300 {
            let text = Texts.random(12, using: &generator)
            let truncated = text.truncated(to: columns)
            #expect(truncated.displayWidth <= columns, "\(text.debugDescription)")
            if text.displayWidth <= columns { #expect(truncated == text) }
            #expect(text.fitted(to: columns).displayWidth == columns, "\(text.debugDescription)")
            let lines = text.wrapped(to: columns)
            let overlong = lines.filter { $0.displayWidth > columns }
            #expect(overlong.allSatisfy { !$0.contains(" ") }, "\(text.debugDescription)")
            #expect(lines.joined(separator: " ").split(separator: " ") == text.split(separator: " "))
        }
    }

    @Test(arguments: [
        ("11月21日 01:09の一覧です。", ["11月21日 01:09の一覧", "です。"]), ("一覧の見本の、アプリです。", ["一覧の見本の、アプリ", "です。"]),
        ("見本として用意したアプ。です", ["見本として用意したア", "プ。です"]), ("목록을 새로 불러오지 못했어요.", ["목록을 새로 불러오지", "못했어요."]),
        ("at https://a.example/abcdef", ["at https://a.example", "/abcdef"]),
        ("at https://a.example/ab", ["at", "https://a.example/ab"]),
    ])
    func aNoticeBreaksJapaneseAnywhereKoreanAtBlanksAndAnAddressThatIsTooLong(text: String, lines: [String]) {
        #expect(text.wrapped(to: 20, breakingWords: true) == lines)
    }
}
