import PromoWire
import Testing

/// The writer places the commas, and escapes only what must be escaped.
struct JSONWriterTests {
    @Test func membersAndElementsAreSeparatedByOneComma() {
        let text = written { writer in
            writer.object { writer in
                writer.member("a", Int.min)
                writer.member("b", "x")
                writer.member("c", false)
                writer.member("d", nil as String?)
                writer.member("e", Timestamp(seconds: 1_795_223_340))
                writer.member("f", nil as Timestamp?)
                writer.name("g")
                writer.object { $0.member("h", 2) }
                writer.name("i")
                writer.array { writer in
                    writer.value(",")
                    writer.value(json: Array("1.50".utf8)[...])
                    writer.array { _ in }
                    writer.object { _ in }
                }
                writer.member("j", ["x", "\"", "["])
                writer.member("k", [] as [String])
            }
        }
        let expected =
            #"{"a":-9223372036854775808,"b":"x","c":false,"d":null,"e":"2026-11-21T01:09:00Z","f":null,"g":{"h":2},"#
            + #""i":[",",1.50,[],{}],"j":["x","\"","["],"k":[]}"#
        #expect(text == expected)
    }

    @Test(arguments: [("{}\n", "{}\n2"), ("[1", "[1,2"), ("[1,", "[1,2"), ("[", "[2")])
    func writingContinuesAfterTheGivenBytes(before: String, after: String) {
        var writer = JSONWriter(Array(before.utf8))
        writer.value(2)
        #expect(writer.bytes.elementsEqual(after.utf8))
    }

    @Test func onlyWhatCannotStandInAStringIsEscaped() throws {
        #expect(written { $0.value("a\"\\\n\r\t\u{0}\u{8}\u{1F}\u{7F}") } == #""a\"\\\n\r\t\u0000\u0008\u001f\u007f""#)
        #expect(written { $0.value("/'<é한\u{2028}\u{FEFF}😀") } == "\"/'<é한\u{2028}\u{FEFF}😀\"")
        for scalar in (UInt32.min...0x1_1000).lazy.compactMap(Unicode.Scalar.init) {
            let text = written { $0.value(String(scalar)) }
            #expect(try json(text).isString(String(scalar)))
            #expect(!text.utf8.contains { $0 < 0x20 || $0 == 0x7F })
        }
    }
}
