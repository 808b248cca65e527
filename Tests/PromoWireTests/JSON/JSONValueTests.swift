import PromoTestSupport
import PromoWire
import Testing

/// The values of a parsed text, and what is written read back.
struct JSONValueTests {
    @Test func aValueIsOfItsKindAloneAndHasItsBytes() throws {
        let kinds: [(String, JSONValue.Kind)] = [
            (#"{"a":1}"#, .object), ("[1]", .array), (#""a""#, .string), ("0", .number), ("true", .true),
            ("false", .false), ("null", .null),
        ]
        for (text, kind) in kinds {
            let value = try json("\t\r\n \(text) \n")
            #expect(value.kind == kind)
            #expect(String(decoding: value.text, as: UTF8.self) == text)
            #expect(value.string == (kind == .string ? "a" : nil))
            #expect(value.integer == (kind == .number ? 0 : nil))
            #expect(value.boolean == ["true": true, "false": false][text])
            #expect(value.members.map { $0.name.string } == (kind == .object ? ["a"] : []))
            #expect(value.elements.map(\.kind).count == (kind == .array ? 1 : 0))
        }
    }

    @Test func elementsAndMembersComeInOrderAndAMemberIsFoundByItsName() throws {
        let value = try json(#"{"b":[ 1.50, {"a":4} ,"\/"],"\u0061":{"x":[2]},"":3}"#)
        #expect(value.members.map { $0.name.string } == ["b", "a", ""])
        let texts = try #require(value["b"]).elements.map { String(decoding: $0.text, as: UTF8.self) }
        #expect(texts == ["1.50", #"{"a":4}"#, #""\/""#])
        #expect(value["a"]?["x"]?.elements.map(\.integer) == [2])
        #expect(value[""]?.integer == 3)
        #expect(value["A"] == nil)
    }

    @Test(arguments: ["name", "né", "\u{1F600}", "a\"b", "a\u{0}b", ""])
    func aStringIsTheSameHoweverItIsEscaped(text: String) throws {
        let long = text.utf16.map { "\\u" + ("000" + String($0, radix: 16)).suffix(4) }.joined()
        let value = try json("{\"\(long)\":\"\(long)\"}")
        #expect(value[text]?.isString(text) == true)
        #expect(value[text]?.string == text)
        for other in [text + "x", String(text.dropLast()) + "x", "x" + text, long] where other != text {
            #expect(value[other] == nil)
        }
        // Strings are compared by their bytes and not by their looks.
        #expect(try !json(#""cafe\u0301""#).isString("caf\u{E9}"))
    }

    private static let integers: [(String, Int?)] = [
        ("-0", 0), ("-7", -7), ("9223372036854775807", .max), ("-9223372036854775808", .min), ("3.0", 3), ("-3.00", -3),
        ("1e2", 100), ("1.5e1", 15), ("1.5", nil), ("1e-1", nil), ("9007199254740993.0", nil), ("1e400", nil),
        ("1e15", 1_000_000_000_000_000),
        ("9223372036854775808", nil), ("-9223372036854775809", nil), (#""1""#, nil),
    ]

    @Test(arguments: integers)
    func aNumberWithoutAFractionThatFitsIsAnInteger(text: String, integer: Int?) throws {
        #expect(try json(text).integer == integer)
    }
}
