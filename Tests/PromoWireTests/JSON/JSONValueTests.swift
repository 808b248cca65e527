import PromoTestSupport
import PromoWire
import Testing

/// The values of a parsed text.
struct JSONValueTests {
    private static let kinds: [(String, JSONValue.Kind)] = [
        ("{}", .object), ("[]", .array), (#""""#, .string), ("0", .number), ("true", .true), ("false", .false),
        ("null", .null),
    ]

    @Test(arguments: kinds)
    func everyKindOfValueIsRecognised(text: String, kind: JSONValue.Kind) throws {
        #expect(try json(text).kind == kind)
    }

    @Test(arguments: kinds.map(\.0))
    func whiteSpaceAroundAValueIsIgnored(text: String) throws {
        #expect(try json("\t\r\n \(text) \n\r\t").text.elementsEqual(text.utf8))
    }

    @Test func theTextOfAValueIsItsBytesAsTheyStand() throws {
        let value = try json(#"{ "a" : [ 1.50, "\u0061\/" ] }"#)
        let array = try #require(value["a"])
        #expect(array.text.elementsEqual(#"[ 1.50, "\u0061\/" ]"#.utf8))
        #expect(array.elements.map { String(decoding: $0.text, as: UTF8.self) } == ["1.50", #""\u0061\/""#])
    }

    @Test func elementsComeInOrder() throws {
        let value = try json(#"[1,[2,3],{"a":4},"5",[]]"#)
        let texts = value.elements.map { String(decoding: $0.text, as: UTF8.self) }
        #expect(texts == ["1", "[2,3]", #"{"a":4}"#, #""5""#, "[]"])
    }

    @Test func membersComeInOrderWithTheirNames() throws {
        let value = try json(#"{"b":1,"\u0061":{"x":[2]},"":3}"#)
        #expect(value.members.map { $0.name.string } == ["b", "a", ""])
        #expect(value.members.map { $0.value.kind } == [.number, .object, .number])
    }

    @Test func aMemberIsFoundByItsName() throws {
        let value = try json(#"{"x":{"a":1},"\u0061":2}"#)
        #expect(value["a"]?.integer == 2)
        #expect(value["x"]?["a"]?.integer == 1)
        #expect(value["A"] == nil)
        #expect(value[""] == nil)
    }

    @Test(arguments: ["[1]", #""a""#, "1", "true", "null"])
    func onlyAnObjectHasMembers(text: String) throws {
        let value = try json(text)
        #expect(value.members.map { $0.name.string } == [])
        #expect(value["a"] == nil)
    }

    @Test(arguments: [#"{"a":1}"#, #""a""#, "1", "true", "null"])
    func onlyAnArrayHasElements(text: String) throws {
        #expect(try json(text).elements.map(\.kind) == [])
    }

    @Test(arguments: [("{}", 0), ("[]", 0)])
    func nothingIsInAnEmptyContainer(text: String, count: Int) throws {
        let value = try json(text)
        #expect(value.elements.map(\.kind).count == count)
        #expect(value.members.map { $0.value.kind }.count == count)
    }

    @Test(arguments: ["name", "né", "\u{1F600}", "a\"b", ""])
    func aStringIsTheSameHoweverItIsEscaped(text: String) throws {
        let long = text.utf16.map { "\\u" + ("000" + String($0, radix: 16)).suffix(4) }.joined()
        let value = try JSONDocument(Array("{\"\(long)\":1}".utf8), maximumDepth: 2).root
        #expect(value[text]?.integer == 1)
        for other in [text + "x", String(text.dropLast()) + "x", "x" + text, long] where other != text {
            #expect(value[other] == nil)
        }
    }

    @Test func aStringIsComparedByItsBytesAndNotByItsLooks() throws {
        #expect(try json(#""caf\u00e9""#).isString("caf\u{E9}"))
        #expect(try !json(#""cafe\u0301""#).isString("caf\u{E9}"))
        #expect(try !json("1").isString("1"))
    }

    @Test func onlyTruthValuesAreBooleans() throws {
        #expect(try json("true").boolean == true)
        #expect(try json("false").boolean == false)
        for text in ["0", "1", "null", #""true""#, "[]", "{}"] {
            #expect(try json(text).boolean == nil)
        }
    }

    @Test(arguments: ["1", "true", "false", "null", "[]", "{}"])
    func onlyStringsAreStrings(text: String) throws {
        #expect(try json(text).string == nil)
    }
}
