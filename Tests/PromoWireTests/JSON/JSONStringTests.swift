import PromoTestSupport
import PromoWire
import Testing

/// Strings and their escapes (RFC 8259, section 7).
struct JSONStringTests {
    private static let escapes: [(String, String)] = [
        (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"), (#"\f"#, "\u{C}"), (#"\n"#, "\n"),
        (#"\r"#, "\r"), (#"\t"#, "\t"), (#"\u0000"#, "\u{0}"), (#"\u001F"#, "\u{1F}"), (#"\u00e9"#, "\u{E9}"),
        (#"\u00E9"#, "\u{E9}"), (#"\uD55C"#, "\u{D55C}"), (#"\uffff"#, "\u{FFFF}"), (#"\uFEFF"#, "\u{FEFF}"),
        (#"\ud83d\ude00"#, "\u{1F600}"), (#"\uD800\uDC00"#, "\u{10000}"), (#"\uDBFF\uDFFF"#, "\u{10FFFF}"),
        (#"\u005c"#, "\\"), (#"\u0022"#, "\""), (#"\\u0061"#, #"\u0061"#),
    ]

    @Test(arguments: escapes)
    func anEscapeStandsForItsCharacter(escape: String, character: String) throws {
        let scalars = Array(character.unicodeScalars)
        #expect(try json("\"\(escape)\"").string.map { Array($0.unicodeScalars) } == scalars)
        #expect(try json("\"a\(escape)z\"").isString("a\(character)z"))
        #expect(try json("\"\(escape)\(escape)\"").isString(character + character))
    }

    @Test(
        arguments: [
            "", "a", "caf\u{E9}", "\u{D55C}\u{AE00}", "\u{1F600}", "\u{7F}", "\u{2028}\u{2029}", "\u{FFFF}", "//", "'",
        ])
    func textWithoutEscapesStandsForItself(text: String) throws {
        #expect(try json("\"\(text)\"").isString(text))
    }

    @Test func aNULEscapeIsAnOrdinaryCharacter() throws {
        #expect(try json(#""a\u0000b""#).string?.utf8.elementsEqual([0x61, 0x00, 0x62]) == true)
    }

    @Test(arguments: 0x00...0x1F as ClosedRange<UInt8>)
    func aControlCharacterHasToBeEscaped(byte: UInt8) {
        let error = jsonError(Array(#"["ab"#.utf8) + [byte] + Array(#"c"]"#.utf8))
        #expect(error?.problem == .controlCharacter)
        #expect(error?.offset == 4)
    }

    @Test(
        arguments: [
            #"\a"#, #"\'"#, #"\0"#, #"\x41"#, #"\U0041"#, #"\N"#, #"\ "#, "\\\u{E9}", #"\u00g0"#, #"\u-001"#,
            #"\u+001"#, #"\u 041"#,
        ])
    func anUnknownEscapeIsReportedWhereItBegins(escape: String) {
        let error = jsonError("[\"ab\(escape)....\"]")
        #expect(error?.problem == .badEscape)
        #expect(error?.offset == 4)
    }

    @Test(arguments: [#"["\u"]"#, #"["\u1"]"#, #"["\u12"]"#, #"["\u123"]"#, #"{"\u12":1}"#, #"["\ud83d\u1"]"#])
    func anEscapeWithTooFewDigitsIsNotTheEndOfTheText(text: String) {
        #expect(jsonError(text)?.problem == .badEscape)
    }

    @Test func everyCodeUnitThatIsNotASurrogateMayBeEscaped() throws {
        for unit in UInt16.min ... .max {
            let digits = String(unit, radix: 16)
            let text = #""\u\#(String(repeating: "0", count: 4 - digits.count) + digits)""#
            if let scalar = Unicode.Scalar(unit) {
                #expect(try json(text).isString(String(scalar)))
            } else {
                #expect(jsonError(text)?.problem == .loneSurrogate)
            }
        }
    }
}
