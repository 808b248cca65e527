import PromoWire
import Testing

/// The writer places the commas.
struct JSONWriterTests {
    @Test func anEmptyContainerHasNoComma() {
        #expect(written { $0.object { _ in } } == "{}")
        #expect(written { $0.array { _ in } } == "[]")
    }

    @Test func elementsAreSeparatedByOneComma() {
        let text = written { writer in
            writer.array { writer in
                writer.value(1)
                writer.value("a")
                writer.value(true)
                writer.value(nil as String?)
                writer.array { $0.value(2) }
                writer.array { _ in }
                writer.object { _ in }
                writer.value(json: Array("1.50".utf8)[...])
            }
        }
        #expect(text == #"[1,"a",true,null,[2],[],{},1.50]"#)
    }

    @Test func membersAreSeparatedByOneComma() {
        let text = written { writer in
            writer.object { writer in
                writer.member("a", 1)
                writer.member("b", "x")
                writer.member("c", false)
                writer.member("d", nil as String?)
                writer.member("e", Timestamp(seconds: 0))
                writer.member("f", nil as Timestamp?)
                writer.name("g")
                writer.object { $0.member("h", 2) }
                writer.name("i")
                writer.array { _ in }
                writer.member("j", ["x", "\""])
                writer.member("k", [] as [String])
            }
        }
        let expected =
            #"{"a":1,"b":"x","c":false,"d":null,"e":"1970-01-01T00:00:00Z","f":null,"g":{"h":2},"i":[],"j":["x","\""],"k":[]}"#
        #expect(text == expected)
    }

    @Test(arguments: ["{", "[", ":", ",", "a,", "}", "]", "\n", ""])
    func aStringThatLooksLikePunctuationStillGetsItsComma(string: String) {
        let text = written { writer in
            writer.array { writer in
                writer.value(string)
                writer.value(1)
            }
        }
        #expect(text.hasSuffix("\",1]"))
    }

    @Test func aNewLineBeginsWithoutAComma() {
        var writer = JSONWriter(Array("{}\n".utf8))
        writer.object { _ in }
        #expect(writer.bytes.elementsEqual("{}\n{}".utf8))
    }

    @Test func writingContinuesAfterTheGivenBytes() {
        var writer = JSONWriter(Array("[1".utf8))
        writer.value(2)
        writer.append("]")
        #expect(writer.bytes.elementsEqual("[1,2]".utf8))
    }

    @Test func anExistingCommaIsNotRepeated() {
        var writer = JSONWriter(Array("[1,".utf8))
        writer.value(2)
        writer.append("]")
        #expect(writer.bytes.elementsEqual("[1,2]".utf8))
    }

    @Test func textIsAppendedAsItIs() {
        #expect(written { $0.append("\"\n,") } == "\"\n,")
    }

    @Test(arguments: [(0, "0"), (-7, "-7"), (Int.max, "9223372036854775807"), (Int.min, "-9223372036854775808")])
    func integersHaveNoFractionAndNoExponent(integer: Int, text: String) {
        #expect(written { $0.value(integer) } == text)
    }

    @Test func aTimeIsAStringInRFC3339() {
        #expect(written { $0.value(Timestamp(seconds: 1_795_223_340)) } == #""2026-11-21T01:09:00Z""#)
        #expect(written { $0.value(nil as Timestamp?) } == "null")
    }
}
