import PromoTestSupport
import PromoWire
import Testing

/// Lines as a client reads them.
struct IncomingTests {
    private func refusal(_ text: String) throws -> Incoming.Refusal {
        guard case .refused(let refusal)? = Incoming(line: Array(text.utf8)) else { throw TestFailure(text) }
        return refusal
    }

    @Test func aResultAndAnEventAreTheirMembers() throws {
        guard case .result(let result)? = Incoming(line: Array("{\"id\":1,\"result\":{\"a\":1}}\r\n".utf8)),
            case .event(let event)? = Incoming(
                line: Array(#"{"jsonrpc":"2.0","method":"event","params":{"seq":42,"event":"tap"}}"#.utf8))
        else { throw TestFailure("neither") }
        #expect(result["a"]?.integer == 1)
        #expect(event["seq"]?.integer == 42)
    }

    @Test(arguments: ErrorReason.allCases)
    func anErrorReplyIsItsReasonAndMessage(reason: ErrorReason) throws {
        let message = "There is no \"x\".\n한국어\u{0}"
        let refusal = try refusal(written { $0.reply(to: .null, error: RequestError(reason, message)) })
        #expect(refusal.reason == reason.rawValue)
        #expect(refusal.message == message)
    }

    @Test(arguments: [
        ("", ""), (#","data":null"#, ""), (#","data":{"reason":1}"#, ""), (#","data":{"reason":"to-come"}"#, "to-come"),
    ])
    func anUnknownReasonIsKeptAndNoneIsEmpty(data: String, reason: String) throws {
        let refusal = try refusal(#"{"id":1,"error":{"code":-32603,"message":"m"\#(data)}}"#)
        #expect(refusal.reason == reason)
        #expect(refusal.message == "m")
    }

    private static let hostile = [
        "", "\n", "list", "{}", "[{}]", "null", #"{"result":{}"#, #"[{"jsonrpc":"2.0","id":1,"result":{}}]"#,
        #"{"result":{}}{"result":{}}"#, #"{"result":{},"result":{}}"#, #"{"result":"\ud800"}"#,
        "\u{FEFF}{\"result\":{}}",
        #"{"Result":{}}"#, #"{"jsonrpc":"2.0","id":1}"#, #"{"error":{"code":-32603}}"#, #"{"error":{"message":1}}"#,
        #"{"error":"m"}"#, #"{"error":null}"#, #"{"method":"event"}"#, #"{"method":"event","params":[]}"#,
        #"{"method":"tap","params":{}}"#, #"{"method":1,"params":{}}"#, #"{"params":{}}"#,
    ]

    @Test(arguments: hostile)
    func aLineThatIsNeitherReplyNorEventIsNil(text: String) {
        #expect(Incoming(line: Array(text.utf8)) == nil)
        #expect(Incoming(line: Array(#"{"result":""#.utf8) + [0xFF] + Array(#""}"#.utf8)) == nil)
    }

    @Test func aLineIsNestedAtMostSixtyFourDeep() {
        for (depth, isRead) in [(64, true), (65, false), (30_000, false)] {
            let brackets = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
            #expect((Incoming(line: Array("{\"result\":\(brackets)}".utf8)) != nil) == isRead)
        }
    }
}
