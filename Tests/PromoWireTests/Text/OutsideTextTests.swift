@testable import PromoWire
import Testing

/// Text from outside, which is bytes until it is known to be a name, or is shown.
struct OutsideTextTests {
    @Test func equalityIsThatOfBytes() {
        let composed = OutsideText("caf\u{E9}")
        let decomposed = OutsideText("cafe\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
    }

    @Test func onlyShortPrintableASCIIIsAName() {
        #expect(OutsideText("acme").ascii(upTo: 4) == "acme")
        #expect(OutsideText("").ascii(upTo: 4) == "")
        for text in ["acmes", "a\u{E9}", "a\n", "\u{7F}"] as [OutsideText] { #expect(text.ascii(upTo: 4) == nil) }
    }

    @Test(arguments: [
        "\u{301}", "\u{323}", "\u{200D}", "\u{FE0F}", "\u{1F3FD}", "\u{903}", "\u{20DD}", "\u{E0061}",
        "\u{AD}", "\u{200B}", "\u{2060}",
    ])
    func aCharacterIsShownWithEightMarks(mark: String) {
        let text = OutsideText("a" + String(repeating: mark, count: 1000) + "b")
        #expect(text.text.unicodeScalars.count == 10)
        #expect(text.text.printable == text.text)
        #expect(("a" + String(repeating: mark, count: 1000)).printable.unicodeScalars.count == 9)
    }

    @Test func aCharacterIsShownWithEightJoints() {
        let joined = String(repeating: "👩\u{200D}", count: 1000) + "b"
        #expect(OutsideText(joined).text.count <= 3)
        #expect(OutsideText(joined).text.unicodeScalars.count < 40)
    }

    @Test(arguments: [
        "한국어", "cafe\u{301}", "👩‍👩‍👧‍👦", "👩🏽‍❤️‍💋‍👨🏿", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "a\0b",
    ])
    func ordinaryTextIsUnchanged(text: String) {
        #expect(OutsideText(text).text.utf8.elementsEqual(text.utf8))
    }

    @Test(arguments: ["n", "빌", "😀", "a\u{301}"])
    func aLongTextIsShownByItsBeginning(unit: String) {
        let shown = OutsideText(String(repeating: unit, count: 1000)).shown(upTo: 20)
        let beginning = String(repeating: unit, count: 20).unicodeScalars.prefix(19)
        #expect(Array(shown.unicodeScalars) == beginning + ["…"])
    }

    @Test(arguments: 0..<4) func noScalarIsCutInTwo(start: Int) {
        let text = OutsideText(
            String(repeating: "n", count: start) + "a" + String(repeating: "\u{301}\u{323}", count: 1000))
        #expect(!text.shown().unicodeScalars.contains("\u{FFFD}"))
    }

    @Test func marksAreThoseOfUnicode() {
        let wrong = (0x300...0x10FFFF).lazy.compactMap(Unicode.Scalar.init).filter { scalar in
            let properties = scalar.properties
            let isOfCategory =
                switch properties.generalCategory {
                case .nonspacingMark, .enclosingMark, .spacingMark: true
                default: false
                }
            let isMark =
                isOfCategory || properties.isGraphemeExtend || properties.isDefaultIgnorableCodePoint
                || properties.isEmojiModifier
            return scalar.isMark != isMark
        }
        #expect(Array(wrong) == [])
    }

    @Test func whatIsShownCommandsNoTerminal() {
        #expect(OutsideText("a\u{1B}[2Jb\u{202E}").shown() == "a␛[2Jb")
    }
}
