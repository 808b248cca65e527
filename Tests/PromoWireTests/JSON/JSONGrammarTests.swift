import PromoWire
import Testing

/// The grammar around numbers and strings (RFC 8259, sections 2 to 5), and where each mistake is reported.
struct JSONGrammarTests {
    private typealias Problem = JSONError.Problem

    private static let aValue = JSONError.Problem.unexpected(expected: "a JSON value")
    private static let aName = JSONError.Problem.unexpected(expected: "a member's name in quotes")
    private static let aColon = JSONError.Problem.unexpected(expected: "a colon after the member's name")

    @Test(arguments: ["", " ", "\n", "\t\r\n "])
    func aTextWithoutAValueIsEmpty(text: String) {
        let error = jsonError(text)
        #expect(error?.problem == .empty)
        #expect(error?.offset == text.utf8.count)
    }

    @Test(
        arguments: [
            "{}", "[]", "[[],{}]", #"{"a":[],"b":{}}"#, "[1,2]", "[ ]", "{ }", #" { "a" : 1 , "b" : [ 2 , 3 ] } "#,
        ])
    func whiteSpaceMayStandBetweenAllParts(text: String) {
        #expect(jsonError(text) == nil)
    }

    @Test(arguments: ["\u{0B}1", "\u{0C}1", "\u{A0}1", "\u{2028}1", "\u{0}1", "1\u{0}", "[1\u{0B}]"])
    func nothingElseIsWhiteSpace(text: String) {
        #expect(jsonError(text) != nil)
    }

    private static let unfinished = [
        "{", "{ ", #"{"a""#, #"{"a" "#, #"{"a":"#, #"{"a": "#, #"{"a":1"#, #"{"a":1 "#, #"{"a":1,"#, #"{"a":1, "#, "[",
        "[ ", "[1", "[1 ", "[1,", "[1, ", #"""#, #""a"#, #""a\"#, #""\u"#, #""\u00"#, "t", "tru", "fals", "nul", "[[]",
        #"{"a":{}"#,
    ]

    @Test(arguments: unfinished)
    func aTextThatEndsTooEarlyIsReportedAtItsEnd(text: String) {
        let error = jsonError(text)
        #expect(error?.problem == .endOfText)
        #expect(error?.offset == text.utf8.count)
    }

    private static let misplaced: [(String, Problem, Int)] = [
        ("list", aValue, 0), ("'a'", aValue, 0), ("}", aValue, 0), ("]", aValue, 0), (",", aValue, 0), (":", aValue, 0),
        ("[,1]", aValue, 1), ("[1,,2]", aValue, 3), ("[:]", aValue, 1), ("[}", aValue, 1), (#"{"a":}"#, aValue, 5),
        (#"{"a":,}"#, aValue, 5), ("True", aValue, 0), ("// 1", aValue, 0), ("undefined", aValue, 0),
        ("{,}", aName, 1), ("{a:1}", aName, 1), ("{1:1}", aName, 1), ("{]", aName, 1), ("{'a':1}", aName, 1),
        (#"{"a":1,,}"#, aName, 7), (#"{"a":1,b:2}"#, aName, 7), ("{null:1}", aName, 1),
        (#"{"a"}"#, aColon, 4), (#"{"a" 1}"#, aColon, 5), (#"{"a","b"}"#, aColon, 4), (#"{"a"=1}"#, aColon, 4),
        (#"{"a":1 "b":2}"#, .unexpected(expected: "a comma or }"), 7),
        (#"{"a":1]"#, .unexpected(expected: "a comma or }"), 6),
        (#"{"a"::1}"#, aValue, 5), ("[1 2]", .unexpected(expected: "a comma or ]"), 3),
        ("[1}", .unexpected(expected: "a comma or ]"), 2), ("[1;2]", .unexpected(expected: "a comma or ]"), 2),
        ("tru ", .unexpected(expected: "true"), 3), ("nan", .unexpected(expected: "null"), 1),
        ("[fal]", .unexpected(expected: "false"), 4), ("nulL", .unexpected(expected: "null"), 3),
    ]

    @Test(arguments: misplaced)
    func anUnexpectedTokenIsReportedWithWhatIsExpected(text: String, problem: JSONError.Problem, offset: Int) {
        let error = jsonError(text)
        #expect(error?.problem == problem)
        #expect(error?.offset == offset)
    }

    @Test(arguments: [("[1,]", 2), ("[1 , ]", 3), (#"{"a":1,}"#, 6), (#"{"a":1 , }"#, 7), ("[[1,],2]", 3)])
    func aTrailingCommaIsReportedWhereItStands(text: String, offset: Int) {
        let error = jsonError(text)
        #expect(error?.problem == .trailingComma)
        #expect(error?.offset == offset)
    }

    @Test(
        arguments: [
            ("{}x", 2), ("{} {}", 3), ("[]]", 2), ("null,", 4), (#""a"b"#, 3), ("truefalse", 4), ("1 // one", 2),
        ])
    func aSecondValueIsReportedWhereItBegins(text: String, offset: Int) {
        let error = jsonError(text)
        #expect(error?.problem == .trailingBytes)
        #expect(error?.offset == offset)
    }

    /// RFC 8259, section 8.1: a reader may ignore it, but no text on a network has one.
    @Test(arguments: ["{}", "1", ""])
    func aByteOrderMarkIsRefused(text: String) {
        let error = jsonError("\u{FEFF}" + text)
        #expect(error?.problem == .byteOrderMark)
        #expect(error?.offset == 0)
    }
}
