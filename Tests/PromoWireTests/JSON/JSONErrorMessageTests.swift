import PromoWire
import Testing

/// A message about a text says what is wrong and at which byte.
struct JSONErrorMessageTests {
    private static let texts: [(String, String)] = [
        ("", "no JSON value at byte 0"),
        ("\u{FEFF}{}", "a byte order mark, which JSON does not allow, at byte 0"),
        ("list", "expected a JSON value at byte 0"),
        (#"{"a":1"#, "the text ends too early, at byte 6"),
        ("{}x", "something follows the JSON value at byte 2"),
        ("[1,]", "a comma with nothing after it at byte 2"),
        ("[\"\u{1}\"]", "a control character in a string, which has to be escaped, at byte 2"),
        (#"["\q"]"#, "an escape that JSON does not know at byte 2"),
        (#"["\ud800"]"#, "half of a surrogate pair at byte 2"),
        ("[1.]", "a malformed number at byte 3"),
        (#"{"a":1,"a":2}"#, "the member \"a\" for the second time at byte 7"),
        (String(repeating: "[", count: 33), "nesting deeper than 32 levels at byte 32"),
    ]

    @Test(arguments: texts)
    func eachProblemHasItsSentenceAndItsByte(text: String, message: String) throws {
        let error = try #require(jsonError(text))
        #expect("\(error)" == message)
    }

    @Test func invalidUTF8HasItsSentenceAndItsByte() throws {
        let error = try #require(jsonError([0x22, 0xFF, 0x22]))
        #expect("\(error)" == "invalid UTF-8 at byte 1")
    }

    @Test func bytesAreCountedAndNotCharacters() throws {
        let error = try #require(jsonError("[\"\u{D55C}\u{1F600}\" x]"))
        #expect("\(error)" == "expected a comma or ] at byte 11")
    }
}
