import PromoWire
import Testing

/// The message of a refusal is short, and shows a line that works.
struct RefusalMessageTests {
    private static let wrong = [
        "list", #"{"method":"list""#, #"{"query":"list"}"#, #""list""#, "[]", "{}", #"{"method":1}"#,
        #"{"id":{},"method":"list"}"#, #"{"jsonrpc":"1.0","method":"list"}"#,
        #"{"jsonrpc":"2.0","method":"list","host":"a"}"#, #"{"method":"list","params":{},"host":"a"}"#,
        "[" + Array(repeating: "1", count: 101).joined(separator: ",") + "]", #"{"method":"lst"}"#,
    ]

    @Test func aRefusalHasAnExampleThatWorks() throws {
        let lines =
            Self.wrong.map { ($0, "list") }
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
