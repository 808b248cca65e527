import PromoWire
import Testing

/// What is wrong with a text, and at which byte. The suite `conformance` has texts for every clause of RFC 8259.
struct JSONReaderTests {
    private static let mistakes: [(String, String)] = [
        ("", "no JSON value at byte 0"), ("\t\r\n ", "no JSON value at byte 4"),
        ("\u{FEFF}{}", "a byte order mark, which JSON does not allow, at byte 0"),
        ("list", "expected a JSON value at byte 0"), ("[,1]", "expected a JSON value at byte 1"),
        ("[1,,2]", "expected a JSON value at byte 3"), (#"{"a"::1}"#, "expected a JSON value at byte 5"),
        ("\u{A0}1", "expected a JSON value at byte 0, where there is a blank (U+00A0)"),
        ("[\u{200B}1]", "expected a JSON value at byte 1, where there is the character U+200B"),
        ("{a:1}", "expected a member's name in quotes at byte 1"),
        (#"{"a":1,,}"#, "expected a member's name in quotes at byte 7"),
        (#"{"a" 1}"#, "expected a colon after the member's name at byte 5"),
        ("{\"a\"：1}", "expected a colon after the member's name at byte 4, where there is “：” (U+FF1A)"),
        (#"{"a":1]"#, "expected a comma or } at byte 6"), ("[1 2]", "expected a comma or ] at byte 3"),
        ("[\"한글😀\" x]", "expected a comma or ] at byte 14"),
        ("[1\u{2800}]", "expected a comma or ] at byte 2, where there is the character U+2800"),
        ("tru ", "expected true at byte 3"), ("nan", "expected null at byte 1"), ("[fal]", "expected false at byte 4"),
        (#"{"a": "#, "the text ends too early, at byte 6"), ("[1, ", "the text ends too early, at byte 4"),
        (#""a\"#, "the text ends too early, at byte 3"), ("fals", "the text ends too early, at byte 4"),
        ("[1 , ]", "a comma with nothing after it at byte 3"),
        (#"{"a":1,}"#, "a comma with nothing after it at byte 6"),
        ("{} {}", "something follows the JSON value at byte 3"), ("0x10", "something follows the JSON value at byte 1"),
        ("-a", "a malformed number at byte 1"), ("[01]", "a malformed number at byte 2"),
        ("[1.]", "a malformed number at byte 3"), ("1e+-1", "a malformed number at byte 3"),
        (
            "\"\u{1F}\"",
            "a control character in a string, which has to be escaped, at byte 1, where there is the character U+001F"
        ),
        (#"["ab\u00g0"]"#, "an escape that JSON does not know at byte 4"),
        (#"["\u12"]"#, "an escape that JSON does not know at byte 2"),
        (#""\ud800\u12g4""#, "an escape that JSON does not know at byte 7"),
        (#"{"\ud800":1}"#, "half of a surrogate pair at byte 2"),
        (#"["x\udc00"]"#, "half of a surrogate pair at byte 3"),
        (#""\ud800\udc00\udbff""#, "half of a surrogate pair at byte 13"),
        (#"{"a":[0,{"b":1,"b":2}]}"#, #"the member "b" for the second time at byte 15"#),
        (#"{"\n":1,"\u000a":2}"#, #"the member " " for the second time at byte 8"#),
        (#"{"é":1,"\u00E9":2}"#, #"the member "é" for the second time at byte 8"#),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsSaidWithItsByte(text: String, message: String) {
        #expect(jsonError(text)?.description == message)
        // Nor is any beginning of a text a text.
        #expect(jsonError("[\(text)") != nil)
    }

    @Test func textThatIsNotUTF8IsSaidWithItsByte() {
        #expect(jsonError([0x22, 0xFF, 0x22])?.description == "invalid UTF-8 at byte 1")
    }

    @Test func openArraysAndObjectsCountTogetherAsLevels() {
        let pairs = String(repeating: #"[{"a":"#, count: 16)
        let closed = "[" + Array(repeating: "[[]]", count: 100).joined(separator: ",") + "]"
        let ends = String(repeating: "}]", count: 16)
        #expect(jsonError(closed) == nil)
        #expect(jsonError(pairs + "0" + ends) == nil)
        #expect(jsonError(pairs + "[]" + ends)?.description == "nesting deeper than 32 levels at byte 96")
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
