import PromoWire
import Testing

/// The writer escapes only what must be escaped.
struct JSONWriterEscapeTests {
    private static let escapes: [(String, String)] = [
        ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\r", #"\r"#), ("\t", #"\t"#), ("\u{0}", #"\u0000"#),
        ("\u{1}", #"\u0001"#), ("\u{8}", #"\u0008"#), ("\u{C}", #"\u000c"#), ("\u{1F}", #"\u001f"#),
        ("\u{7F}", #"\u007f"#),
    ]

    @Test(arguments: escapes)
    func aCharacterThatCannotStandInAStringIsEscaped(character: String, escape: String) {
        #expect(written { $0.value(character) } == "\"\(escape)\"")
        #expect(written { $0.value("a\(character)b") } == "\"a\(escape)b\"")
    }

    @Test(arguments: ["/", "'", "<", "caf\u{E9}", "\u{D55C}\u{AE00}", "\u{1F600}", "\u{2028}", "\u{FEFF}", " "])
    func otherTextIsNotEscaped(text: String) {
        #expect(written { $0.value(text) } == "\"\(text)\"")
    }

    @Test func aStringNeverBreaksItsLine() {
        for byte in UInt8.min...0x7F {
            var writer = JSONWriter()
            writer.value(String(Unicode.Scalar(byte)))
            #expect(writer.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        }
    }

    @Test func everyCharacterComesBack() throws {
        for value in UInt32.min...0x1_1000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(try json(written { $0.value(String(scalar)) }).isString(String(scalar)))
        }
    }
}
