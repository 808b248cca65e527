import PromoTestSupport
import PromoWire
import Testing

/// Untrusted text for a terminal.
struct PrintableTests {
    @Test(
        arguments: [
            ("plain", "plain"), ("독서 📚", "독서 📚"), ("", ""), ("a\tb\nc\rd\u{B}e\u{C}f", "a b c d e f"),
            ("a\r\nb", "a  b"), ("a\u{2028}b\u{2029}c", "a b c"), ("\u{1B}[31mred", "\u{241B}[31mred"),
            ("\u{0}\u{7}\u{1F}", "\u{2400}\u{2407}\u{241F}"), ("\u{7F}", "\u{2421}"),
            ("\u{80}\u{9B}\u{9F}", "\u{FFFD}\u{FFFD}\u{FFFD}"), ("a\u{202E}b\u{2066}c\u{2069}d", "abcd"),
        ])
    func controlCharactersAreShownAsPicturesOrRemoved(text: String, shown: String) {
        #expect(Array(text.printable.unicodeScalars) == Array(shown.unicodeScalars))
    }

    @Test func noScalarCommandsATerminalOrReordersALine() {
        let reordering: [UInt32] = [0x061C, 0x200E, 0x200F] + Array(0x202A...0x202E) + Array(0x2066...0x2069)
        for scalar in (0...0x10FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
            for shown in String(scalar).printable.unicodeScalars {
                guard shown.properties.generalCategory == .control || reordering.contains(shown.value) else { continue }
                Issue.record("U+\(String(scalar.value, radix: 16)) is shown as U+\(String(shown.value, radix: 16))")
            }
        }
    }

    @Test func inJSONEveryControlIsEscapedAndTheTextStaysTheSame() throws {
        let controls: [ClosedRange<UInt32>] = [
            0x00...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
            0xFEFF...0xFEFF,
        ]
        let hostile = String(String.UnicodeScalarView(controls.joined().compactMap(Unicode.Scalar.init)))
        let harmless = "a\u{A0}é\u{61B}\u{200D}\u{2027}\u{202F}\u{2065}\u{FEFE}\u{FEFD}🍅"
        var writer = JSONWriter()
        writer.value(hostile + harmless)
        let text = String(decoding: writer.bytes[...].printableJSON, as: UTF8.self)
        #expect(!text.unicodeScalars.contains { scalar in controls.contains { $0.contains(scalar.value) } })
        #expect(text.hasSuffix(harmless + "\""))
        #expect(try JSONDocument(Array(text.utf8), maximumDepth: 1).root.string == hostile + harmless)
    }
}
