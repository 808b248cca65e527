import PromoWire
import Testing

/// The message of a refusal says what is wrong, is short, and shows a line that works. The suite `conformance` has the clauses of JSON-RPC
/// 2.0 with their errors.
struct RefusalMessageTests {
    private static let deep = String(repeating: "[", count: Call.maximumDepth)

    /// Lines that are no request, with the id of the reply and a part of the message.
    private static let wrong: [(String, id: String, part: String)] = [
        ("list", "null", "at byte 0"), (#"{"id":1"#, "null", "at byte 7"), (#""list""#, "null", ""), ("7", "null", ""),
        (#"{"method":"list"}x"#, "null", "something follows the JSON value at byte 17"),
        (#"{"method":"list","host":\#(deep)"#, "null", "nesting deeper than \(Call.maximumDepth) levels"),
        ("[]", "null", "one request a line"), ("{}", "null", #""method""#),
        (#"{"id":1,"query":"list"}"#, "1", #""method""#),
        (#"{"method":1}"#, "null", #""method""#), (#"{"id":{},"method":"list"}"#, "null", #""id""#),
        (#"{"jsonrpc":"1.0","id":1,"method":"list"}"#, "1", #""jsonrpc""#),
        (#"{"jsonrpc":"2.0","id":1,"method":"list","host":"a"}"#, "1", #""params""#),
        (#"{"method":"list","params":{},"host":"a"}"#, "null", #""params""#),
        (#"{"jsonrpc":"2.0","id":1,"method":"list","params":null}"#, "1", #""params" of list must be an object"#),
        (#"{"jsonrpc":"2.0","id":"x","method":"lst"}"#, #""x""#, #""lst""#),
    ]

    @Test(arguments: wrong)
    func aRefusalHasTheIDAndSaysWhatIsWrong(line: String, id: String, part: String) throws {
        let rejection = try rejection(line)
        #expect(rejection.id == id)
        #expect(rejection.message.contains(part))
    }

    @Test func aRefusalHasAnExampleThatWorks() throws {
        let lines =
            Self.wrong.map { ($0.0, "list") }
            + MethodTable.all.map { (#"{"method":"\#($0.name)","params":[1]}"#, $0.name) }
            + MethodTable.all.filter { $0.parameters.contains(where: \.isRequired) }
            .map { (#"{"method":"\#($0.name)"}"#, $0.name) }
        for (line, method) in lines {
            let message = try rejection(line).message
            let start = try #require(message.ranges(of: #"{"method""#).last?.lowerBound, "\(message)")
            let end = try #require(message.lastIndex(of: "}"))
            #expect(try request(String(message[start...end])).method.description.name == method)
        }
    }

    @Test func theErrorForAnUnknownMethodListsAllMethods() throws {
        let message = try rejection(#"{"method":"lst"}"#).message
        for method in MethodTable.all { #expect(message.contains(method.name)) }
    }

    /// The parts of long names, each with its size on the line in bytes.
    @Test(arguments: [("x", 1), ("\u{301}", 2), ("\u{1F468}\u{200D}", 7), (#"\u0001"#, 6)])
    func aLongNameIsShownShortened(part: String, size: Int) throws {
        let name = "e" + String(repeating: part, count: 30_000 / size)
        let lines = [
            #"{"method":"\#(name)"}"#, #"{"method":"list","\#(name)":1}"#, #"{"method":"status","\#(name)":1}"#,
            #"{"jsonrpc":"2.0","method":"list","\#(name)":1}"#, #"{"method":"list","params":{},"\#(name)":1}"#,
            #"{"\#(name)":1,"\#(name)":2}"#,
        ]
        for line in lines { #expect(try rejection(line).message.utf8.count <= 1024) }
    }
}
