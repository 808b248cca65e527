import PromoWire
import Testing

/// Reading a failure from a member that may be null.
struct FailureReadingTests {
    private func failure(_ text: String) throws -> Failure? {
        try json(text).read("error")
    }

    @Test(arguments: ProblemCode.allCases)
    func aFailureIsReadWithCodeAndMessage(code: ProblemCode) throws {
        let read = try failure(#"{"error":{"code":"\#(code.rawValue)","message":"503 from \"a\""}}"#)
        #expect(read == Failure(code, #"503 from "a""#))
    }

    @Test(arguments: [#"{"error":null}"#, "{}"])
    func noFailureIsNil(text: String) throws {
        #expect(try failure(text) == nil)
    }

    @Test(arguments: [(#"{"message":"m"}"#, "code"), (#"{"code":"tls"}"#, "message"), ("{}", "code")])
    func aPartThatIsMissingIsNamed(object: String, member: String) throws {
        #expect(try malformedMember { try failure(#"{"error":\#(object)}"#) } == member)
    }

    @Test(arguments: ["1", "true", "[]", #""tls""#])
    func aFailureIsAnObject(value: String) throws {
        let member = try malformedMember { try failure(#"{"error":\#(value)}"#) }
        #expect(member != nil)
        #expect(member == "error")
    }
}
