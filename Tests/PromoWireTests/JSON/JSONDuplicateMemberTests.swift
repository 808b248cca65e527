import PromoWire
import Testing

/// A name may occur only once in an object, however it is escaped (RFC 8259, section 8.3) and however many members there
/// are. Readers differ about repeated names (RFC 8259, section 4).
struct JSONDuplicateMemberTests {
    private static let spellings: [(String, String, String)] = [
        ("a", "a", "a"), ("a", #"\u0061"#, "a"), (#"\u0061"#, "a", "a"), (#"\u0061"#, #"\u0061"#, "a"), ("", "", ""),
        ("/", #"\/"#, "/"), ("\u{E9}", #"\u00e9"#, "\u{E9}"), (#"\u00e9"#, #"\u00E9"#, "\u{E9}"),
        (#"\n"#, #"\u000a"#, " "), (#"\ud83d\ude00"#, "\u{1F600}", "\u{1F600}"), (#"\\"#, #"\u005c"#, "\\"),
    ]

    @Test(arguments: spellings)
    func twoSpellingsOfOneNameAreADuplicate(first: String, second: String, name: String) {
        let error = jsonError("{\"\(first)\":1,\"\(second)\":2}")
        #expect(error?.problem == .duplicateMember(name))
        #expect(error?.offset == 6 + first.utf8.count)
    }

    @Test(arguments: spellings)
    func theSameHoldsAmongManyMembers(first: String, second: String, name: String) {
        let between = (0..<20).map { ",\"x\($0)\":[{\"x\($0)\":0}]" }.joined()
        let head = "{\"\(first)\":1\(between),"
        let error = jsonError("\(head)\"\(second)\":2}")
        #expect(error?.problem == .duplicateMember(name))
        #expect(error?.offset == head.utf8.count)
    }

    @Test(arguments: 2...20)
    func aDuplicateOfAnyEarlierMemberIsFoundInAnyPlace(count: Int) {
        for repeated in 0..<count - 1 {
            let names = (0..<count - 1).map { "m\($0)" } + ["m\(repeated)"]
            let members = names.map { "\"\($0)\":{\"m0\":[\"m1\"]}" }
            let error = jsonError("{\(members.joined(separator: ","))}")
            #expect(error?.problem == .duplicateMember("m\(repeated)"))
            #expect(error?.offset == 1 + members.dropLast().map { $0.utf8.count + 1 }.reduce(0, +))
        }
    }

    @Test(arguments: [8, 9, 100])
    func differentNamesAreNotDuplicates(count: Int) {
        #expect(jsonError("{\((0..<count).map { "\"m\($0)\":0" }.joined(separator: ","))}") == nil)
    }

    @Test(arguments: [#"{"a":{"a":{"a":1}}}"#, #"[{"a":1},{"a":2}]"#, #"{"a":"a","b":"a"}"#, #"{"a":1,"A":2}"#])
    func theSameNameInAnotherObjectIsNotADuplicate(text: String) {
        #expect(jsonError(text) == nil)
    }

    @Test func namesThatOnlyLookAlikeAreNotDuplicates() {
        #expect(jsonError("{\"caf\u{E9}\":1,\"cafe\u{301}\":2}") == nil)
        #expect(jsonError(#"{"\u0061":1,"\\u0061":2}"#) == nil)
    }

    @Test func aDuplicateInsideANestedObjectIsFound() {
        let error = jsonError(#"{"a":[0,{"b":1,"b":2}]}"#)
        #expect(error?.problem == .duplicateMember("b"))
        #expect(error?.offset == 15)
    }

    @Test func aLongNameIsShownShortened() {
        let name = String(repeating: "n", count: 1000)
        #expect(jsonError("{\"\(name)\":1,\"\(name)\":2}")?.problem == .duplicateMember(name.prefix(63) + "…"))
    }
}
