import PromoWire
import Testing

/// The error for a malformed line shows one that works.
struct WorkingLineTests {
    private static let wrong: [(String, ErrorReason)] = [
        ("list", .parseError), (#"{"method":"list""#, .parseError), (#"{"method":"list",}"#, .parseError),
        (#"{"query":"list"}"#, .invalidRequest), (#""list""#, .invalidRequest), ("[]", .invalidRequest),
        ("{}", .invalidRequest), (#"{"method":1}"#, .invalidRequest), (#"{"id":{},"method":"list"}"#, .invalidRequest),
        (#"{"jsonrpc":"1.0","method":"list"}"#, .invalidRequest),
        (#"{"jsonrpc":"2.0","method":"list","host":"a"}"#, .invalidRequest),
        (#"{"method":"list","params":{},"host":"a"}"#, .invalidRequest),
        ("[" + Array(repeating: "1", count: 101).joined(separator: ",") + "]", .invalidRequest),
        (#"{"method":"lst"}"#, .unknownMethod), (#"{"method":""}"#, .unknownMethod),
    ]

    /// The last example line in a message.
    private static func line(in message: String) throws -> String {
        let start = try #require(message.ranges(of: #"{"method""#).last?.lowerBound, "\(message)")
        let end = try #require(message.lastIndex(of: "}"))
        return String(message[start...end])
    }

    @Test(arguments: wrong)
    func theMessageHasAnExampleThatWorks(line: String, reason: ErrorReason) throws {
        let rejection = try rejection(line)
        #expect(rejection.reason == reason)
        #expect(try request(try Self.line(in: rejection.message)).method.description.name == "list")
    }

    @Test func theErrorForAnUnknownMethodListsAllMethods() throws {
        let message = try rejection(#"{"method":"lst"}"#).message
        for method in MethodTable.all { #expect(message.contains(method.name)) }
    }

    @Test(arguments: MethodTable.all.filter { $0.parameters.contains(where: \.isRequired) }.map(\.name))
    func theErrorForAMissingMemberHasAnExampleThatWorks(method: String) throws {
        let rejection = try rejection(#"{"method":"\#(method)"}"#)
        #expect(rejection.reason == .invalidParams)
        #expect(try request(try Self.line(in: rejection.message)).method.description.name == method)
    }

    @Test(arguments: MethodTable.all.map(\.name))
    func theErrorForMalformedParamsHasAnExampleThatWorks(method: String) throws {
        let rejection = try rejection(#"{"method":"\#(method)","params":[]}"#)
        #expect(rejection.reason == .invalidParams)
        #expect(try request(try Self.line(in: rejection.message)).method.description.name == method)
    }
}
