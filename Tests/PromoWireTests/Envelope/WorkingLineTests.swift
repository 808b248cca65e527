import PromoWire
import Testing

/// Whoever types something wrong first learns the form from the answer.
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

    /// The last line of the protocol that a message shows.
    private static func line(in message: String) throws -> String {
        let start = try #require(message.ranges(of: #"{"method""#).last?.lowerBound, "\(message)")
        let end = try #require(message.lastIndex(of: "}"))
        return String(message[start...end])
    }

    @Test(arguments: wrong)
    func theMessageShowsALineThatWorks(line: String, reason: ErrorReason) throws {
        let rejection = try rejection(line)
        #expect(rejection.reason == reason)
        #expect(try request(try Self.line(in: rejection.message)).method == "list")
    }

    @Test func anUnknownMethodIsToldAllMethods() throws {
        let message = try rejection(#"{"method":"lst"}"#).message
        for method in MethodTable.all { #expect(message.contains(method.name)) }
    }

    @Test(arguments: MethodTable.all.filter { $0.parameters.contains(where: \.isRequired) }.map(\.name))
    func aMissingMemberIsShownInALineThatWorks(method: String) throws {
        let rejection = try rejection(#"{"method":"\#(method)"}"#)
        #expect(rejection.reason == .invalidParams)
        #expect(try request(try Self.line(in: rejection.message)).method == method)
    }

    @Test(arguments: MethodTable.all.map(\.name))
    func paramsThatAreNoObjectAreShownALineThatWorks(method: String) throws {
        let rejection = try rejection(#"{"method":"\#(method)","params":[]}"#)
        #expect(rejection.reason == .invalidParams)
        #expect(try request(try Self.line(in: rejection.message)).method == method)
    }
}
