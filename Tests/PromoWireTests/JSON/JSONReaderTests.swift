import PromoWire
import Testing

/// What is wrong with a text, and at which byte. The suite `conformance` has texts for every clause of RFC 8259.
struct JSONReaderTests {
    private static let aValue = JSONError.Problem.unexpected(expected: "a JSON value")
    private static let aName = JSONError.Problem.unexpected(expected: "a member's name in quotes")
    private static let aColon = JSONError.Problem.unexpected(expected: "a colon after the member's name")

    private static let refused: [(String, JSONError.Problem, Int)] = [
        ("\t\r\n ", .empty, 4), ("\u{FEFF}{}", .byteOrderMark, 0), ("\u{A0}1", aValue, 0), ("'a'", aValue, 0),
        ("+1", aValue, 0), ("[,1]", aValue, 1), ("[1,,2]", aValue, 3), (#"{"a"::1}"#, aValue, 5), ("{a:1}", aName, 1),
        (#"{"a":1,,}"#, aName, 7), (#"{"a" 1}"#, aColon, 5), (#"{"a":1]"#, .unexpected(expected: "a comma or }"), 6),
        ("[1 2]", .unexpected(expected: "a comma or ]"), 3), ("tru ", .unexpected(expected: "true"), 3),
        ("nan", .unexpected(expected: "null"), 1), ("[fal]", .unexpected(expected: "false"), 4),
        (#"{"a": "#, .endOfText, 6), ("[1, ", .endOfText, 4), (#""a\"#, .endOfText, 3), ("fals", .endOfText, 4),
        ("[1 , ]", .trailingComma, 3), (#"{"a":1,}"#, .trailingComma, 6), ("{} {}", .trailingBytes, 3),
        ("truefalse", .trailingBytes, 4), ("0x10", .trailingBytes, 1), ("-a", .badNumber, 1), ("[01]", .badNumber, 2),
        ("[1.]", .badNumber, 3), ("1.e1", .badNumber, 2), ("1e+-1", .badNumber, 3), (#"["\q"]"#, .badEscape, 2),
        (#"["ab\u00g0"]"#, .badEscape, 4), (#"["\u12"]"#, .badEscape, 2), (#""\ud800\u12g4""#, .badEscape, 7),
        (#"{"\ud800":1}"#, .loneSurrogate, 2), (#"["x\udc00"]"#, .loneSurrogate, 3),
        (#""\ud800\\udc00""#, .loneSurrogate, 1), (#""\ud800\udc00\udbff""#, .loneSurrogate, 13),
        (#"{"a":[0,{"b":1,"b":2}]}"#, .duplicateMember("b"), 15),
        (#"{"a":1,"\u0061":2}"#, .duplicateMember("a"), 7), (#"{"\n":1,"\u000a":2}"#, .duplicateMember(" "), 8),
        (#"{"é":1,"\u00E9":2}"#, .duplicateMember("é"), 8), ("[\"한글😀\" x]", .unexpected(expected: "a comma or ]"), 14),
    ]

    @Test(arguments: refused)
    func aMistakeIsReportedWhereItStands(text: String, problem: JSONError.Problem, offset: Int) {
        let error = jsonError(text)
        #expect(error?.problem == problem && error?.offset == offset)
        // Nor is any beginning of a text a text.
        #expect(jsonError("[\(text)") != nil)
    }

    private static let sentences: [([UInt8], String)] = [
        ([], "no JSON value at byte 0"), ([0x22, 0xFF, 0x22], "invalid UTF-8 at byte 1"),
        (Array("\u{FEFF}{}".utf8), "a byte order mark, which JSON does not allow, at byte 0"),
        (Array("list".utf8), "expected a JSON value at byte 0"),
        (Array(#"{"a":1"#.utf8), "the text ends too early, at byte 6"),
        (Array("{}x".utf8), "something follows the JSON value at byte 2"),
        (Array("[1,]".utf8), "a comma with nothing after it at byte 2"),
        (
            [0x22, 0x1F, 0x22],
            "a control character in a string, which has to be escaped, at byte 1, where there is the character U+001F"
        ), (Array("{\u{A0}}".utf8), "expected a member's name in quotes at byte 1, where there is a blank (U+00A0)"),
        (Array("[\u{200B}1]".utf8), "expected a JSON value at byte 1, where there is the character U+200B"),
        (Array("{\"a\"：1}".utf8), "expected a colon after the member's name at byte 4, where there is “：” (U+FF1A)"),
        (Array("[1\u{2800}]".utf8), "expected a comma or ] at byte 2, where there is the character U+2800"),
        (Array(#"["\q"]"#.utf8), "an escape that JSON does not know at byte 2"),
        (Array(#"["\ud800"]"#.utf8), "half of a surrogate pair at byte 2"),
        (Array("[1.]".utf8), "a malformed number at byte 3"),
        (Array(#"{"a":1,"a":2}"#.utf8), "the member \"a\" for the second time at byte 7"),
        (Array(repeating: UInt8(ascii: "["), count: 100_000), "nesting deeper than 32 levels at byte 32"),
    ]

    @Test(arguments: sentences)
    func eachProblemHasItsSentenceAndItsByte(text: [UInt8], message: String) {
        #expect(jsonError(text)?.description == message)
    }

    @Test func openArraysAndObjectsCountTogetherAsLevels() {
        let pairs = String(repeating: #"[{"a":"#, count: 16)
        let closed = "[" + Array(repeating: "[[]]", count: 100).joined(separator: ",") + "]"
        #expect(jsonError(pairs + "0" + String(repeating: "}]", count: 16)) == nil && jsonError(closed) == nil)
        #expect(jsonError(pairs + "[]" + String(repeating: "}]", count: 16))?.offset == 6 * 16)
    }

    /// A reader may look for duplicates in another way among many members.
    @Test(arguments: 2...20)
    func aDuplicateOfAnyEarlierMemberIsFoundAmongAnyNumber(count: Int) {
        let members = (0..<count).map { "\"m\($0)\":{\"m0\":[\"m1\"]}" }
        #expect(jsonError("{\(members.joined(separator: ","))}") == nil)
        for repeated in 0..<count - 1 {
            let all = members.dropLast() + [members[repeated]]
            let error = jsonError("{\(all.joined(separator: ","))}")
            #expect(error?.problem == .duplicateMember("m\(repeated)"))
        }
        let name = String(repeating: "n", count: 1000)
        #expect(jsonError("{\"\(name)\":1,\"\(name)\":2}")?.problem == .duplicateMember(name.prefix(63) + "…"))
    }
}
