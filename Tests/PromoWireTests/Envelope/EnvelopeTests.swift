import PromoWire
import Testing

/// One line is one request. The suite `conformance` has the clauses of JSON-RPC 2.0 through the socket.
struct EnvelopeTests {
    private static let bare = ListParameters()

    /// Lines that are carried out, with the id of the reply; nil for a notification.
    private static let carriedOut: [(String, Request.Method, String?)] = [
        (#"{"jsonrpc":"2.0","id":1,"method":"list"}"#, .list(bare), "1"),
        (#"{"params":{"limit":2},"method":"list","id":1.50,"jsonrpc":"2.0"}"#, .list(ListParameters(limit: 2)), "1.50"),
        (
            #"{"\u006asonrpc":"\u0032.0","id":"\u0061","\u006dethod":"\u006cist","p\u0061rams":{"h\u006fst":"\u0061"}}"#,
            .list(ListParameters(host: "a")), #""\u0061""#
        ),
        (#"{"jsonrpc":"2.0","method":"tap","params":{"app":"a"}}"#, .tap(TapParameters(app: "a")), nil),
        (#"{"jsonrpc":"2.0","id":null,"method":"status"}"#, .status, "null"),
        (" \t" + #"{ "method" : "status" }"# + " \r", .status, "null"), (#"{"id":7,"method":"status"}"#, .status, "7"),
        (#"{"method":"list","host":"a","limit":3}"#, .list(ListParameters(host: "a", limit: 3)), "null"),
        (#"{"method":"list","params":{"host":"a"}}"#, .list(ListParameters(host: "a")), "null"),
        (#"{"method":"list","params":[ ]}"#, .list(bare), "null"),
        (#"{"jsonrpc":"2.0","id":1,"method":"status","params":[]}"#, .status, "1"),
        (#"{"method":"list","limit":3.0}"#, .list(ListParameters(limit: 3)), "null"),
    ]

    @Test(arguments: carriedOut)
    func aRequestIsReadStrictlyWithJSONRPCAndFlatWithoutIt(line: String, method: Request.Method, id: String?) throws {
        let call = try call(line)
        #expect(call.request?.method == method && call.replyID == id)
    }

    /// Lines that are refused, with the reason, the id and a part of the message.
    private static let refused: [(String, ErrorReason, String, String)] = [
        ("list", .parseError, "null", "at byte 0"), (#"{"id":1"#, .parseError, "null", "at byte 7"),
        (#"  {"a":1,"a":2}"#, .parseError, "null", "at byte 9"),
        (#"{"method":"list"}x"#, .parseError, "null", "byte 17"),
        (#""list""#, .invalidRequest, "null", ""), ("[ ]", .invalidRequest, "null", "one request a line"),
        (#"[{"jsonrpc":"2.0","id":1,"method":"list"}]"#, .invalidRequest, "null", "one request a line"),
        (#"{"jsonrpc":"1.0","id":1,"method":"list"}"#, .invalidRequest, "1", #""jsonrpc""#),
        (#"{"jsonrpc":2.0,"method":"list"}"#, .invalidRequest, "null", #""jsonrpc""#),
        (#"{"jsonrpc":"2.0"}"#, .invalidRequest, "null", #""method""#),
        (#"{"jsonrpc":"2.0","id":1,"method":["list"]}"#, .invalidRequest, "1", #""method""#),
        (#"{"jsonrpc":"2.0","id":1,"method":"list","host":"a"}"#, .invalidRequest, "1", #""params""#),
        (#"{"id":true,"method":"status"}"#, .invalidRequest, "null", #""id""#),
        (#"{"id":{},"jsonrpc":"2.0","method":"status"}"#, .invalidRequest, "null", #""id""#),
        (#"{"method":"list","params":{},"host":"a"}"#, .invalidRequest, "null", #""params""#),
        (#"{"method":"list","host":"a","params":null}"#, .invalidRequest, "null", #""params""#),
        (#"{"id":1,"query":"list"}"#, .invalidRequest, "1", #""method""#),
        (#"{"jsonrpc":"2.0","id":"x","method":"List"}"#, .unknownMethod, #""x""#, #""List""#),
        (#"{"method":""}"#, .unknownMethod, "null", ""),
        (#"{"method":"list","params":["a"]}"#, .invalidParams, "null", #""params""#),
        (#"{"method":"tap","params":[]}"#, .invalidParams, "null", #"needs "app""#),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"list","params":null}"#, .invalidParams, "1",
            #""params" of list must be an object"#
        ),
        (#"{"method":"list","limit":0}"#, .invalidParams, "null", #""limit""#),
    ]

    @Test(arguments: refused)
    func aRequestThatIsNoneIsRefusedWithItsIDAndTheReason(line: String, reason: ErrorReason, id: String, part: String)
        throws
    {
        let rejection = try rejection(line)
        #expect(rejection.reason == reason && rejection.id == id && rejection.message.contains(part), "\(rejection)")
    }

    @Test(arguments: ["", " \t \r", String(repeating: " ", count: 65_536)])
    func aBlankLineIsNotARequest(line: String) {
        #expect(Call(line: Array(line.utf8)) == nil)
    }

    @Test(arguments: [
        #""method":"nothing""#, #""method":"list","params":{"limit":0}"#, #""method":"list","params":[1]"#,
        #""method":"tap""#,
    ])
    func aNotificationThatCannotBeCarriedOutIsDropped(members: String) throws {
        #expect(Call(line: Array("{\"jsonrpc\":\"2.0\",\(members)}".utf8)) == nil)
    }

    @Test(arguments: [(31, ErrorReason.invalidParams), (32, .parseError)])
    func aLineMayBeNested32Deep(depth: Int, reason: ErrorReason) throws {
        let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try rejection(#"{"method":"status","params":\#(nested)}"#).reason == reason)
    }

    // MARK: Replies

    @Test func aReplyHasTheIDAndTheResultOrTheErrorWithItsReason() throws {
        let id = try #require(RequestID(try json(#""\u0061""#)))
        let replies = written { writer in
            writer.array { writer in
                writer.reply(to: id) { $0.object { $0.member("cleared", true) } }
                writer.reply(to: .null, error: RequestError(.unknownMethod, "No \"x\"\n\u{0}."))
            }
        }
        let expected =
            #"[{"jsonrpc":"2.0","id":"\u0061","result":{"cleared":true}},{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"#
            + #""message":"No \"x\"\n\u0000.","data":{"reason":"unknown-method"}}}]"#
        #expect(replies == expected)
    }
}
