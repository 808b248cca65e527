import PromoTestSupport
import PromoWire
import Testing

/// Lines as a client reads them.
struct IncomingTests {
    private func incoming(_ text: String) throws -> Incoming {
        try #require(Incoming(line: Array(text.utf8)), "\(text)")
    }

    private func refusal(_ text: String) throws -> Incoming.Refusal {
        guard case .refused(let refusal) = try incoming(text) else { throw Other(text: text) }
        return refusal
    }

    private func result(_ text: String) throws -> JSONValue {
        guard case .result(let result) = try incoming(text) else { throw Other(text: text) }
        return result
    }

    private func event(_ text: String) throws -> JSONValue {
        guard case .event(let event) = try incoming(text) else { throw Other(text: text) }
        return event
    }

    /// The error for a line of another kind than a test expects.
    private struct Other: Error {
        var text: String
    }

    // MARK: Replies

    @Test func aReplyIsItsResult() throws {
        let result = try result(#"{"jsonrpc":"2.0","id":1,"result":{"cleared":true}}"#)
        #expect(JSONTree(result) == .object([.init(name: "cleared", value: .boolean(true))]))
    }

    @Test func aReplyThatTheDaemonWroteIsRead() throws {
        let launch = LaunchResult(app: "a\"\n", firstLaunch: Timestamp(seconds: 1_800_000_000), isRecorded: true)
        let reply = written { $0.reply(to: .null) { launch.write(to: &$0) } }
        #expect(try LaunchResult(try result(reply)) == launch)
    }

    @Test func theLineFeedMayStillBeThere() throws {
        #expect(try result("{\"id\":1,\"result\":{}}\r\n").kind == .object)
    }

    @Test(arguments: ErrorReason.allCases)
    func anErrorReplyIsItsReasonAndMessage(reason: ErrorReason) throws {
        let message = "There is no \"x\".\n한국어\u{0}"
        let refusal = try refusal(written { $0.reply(to: .null, error: RequestError(reason, message)) })
        #expect(refusal.reason == reason.rawValue)
        #expect(refusal.message == message)
    }

    @Test func anUnknownReasonIsKept() throws {
        let refusal = try refusal(#"{"id":1,"error":{"code":-32099,"message":"m","data":{"reason":"to-come"}}}"#)
        #expect(refusal.reason == "to-come")
    }

    @Test(arguments: [
        "", #","data":null"#, #","data":{}"#, #","data":{"reason":1}"#, #","data":"busy""#, #","data":[]"#,
    ])
    func anErrorWithoutAReasonHasAnEmptyOne(data: String) throws {
        let refusal = try refusal(#"{"id":1,"error":{"code":-32603,"message":"m"\#(data)}}"#)
        #expect(refusal.reason == "")
        #expect(refusal.message == "m")
    }

    // MARK: Events

    @Test func anEventIsItsParameters() throws {
        let event = try event(
            """
            {"jsonrpc":"2.0","method":"event","params":{"seq":42,"at":"2026-11-21T01:09:00Z","event":"tap","app":"a"}}
            """)
        #expect(event["seq"]?.integer == 42)
        #expect(event["event"]?.string == "tap")
    }

    // MARK: Anything else

    private static let hostile = [
        "", " ", "\n", "list", "{", "}", "{}", "[]", "[{}]", "null", "true", "1", #""result""#, #"{"result":{}"#,
        #"[{"jsonrpc":"2.0","id":1,"result":{}}]"#, #"{"result":{}}{"result":{}}"#, #"{"result":{}},"#,
        #"{"result":{},"result":{}}"#, #"{"result":{"a":1,"a":2}}"#, #"{"result":"\ud800"}"#, #"{"result":NaN}"#,
        "\u{FEFF}{\"result\":{}}", #"{"Result":{}}"#, #"{"id":1}"#, #"{"jsonrpc":"2.0","id":1}"#,
        #"{"error":{}}"#, #"{"error":{"code":-32603}}"#, #"{"error":{"message":null}}"#, #"{"error":{"message":1}}"#,
        #"{"error":"m"}"#, #"{"error":["m"]}"#, #"{"error":null}"#, #"{"error":{"data":{"reason":"busy"}}}"#,
        #"{"method":"event"}"#, #"{"method":"event","params":null}"#, #"{"method":"event","params":[]}"#,
        #"{"method":"event","params":"tap"}"#, #"{"method":"Event","params":{}}"#, #"{"method":"tap","params":{}}"#,
        #"{"method":1,"params":{}}"#, #"{"method":["event"],"params":{}}"#, #"{"params":{}}"#,
    ]

    @Test(arguments: hostile)
    func aLineThatIsNeitherReplyNorEventIsNil(text: String) {
        #expect(Incoming(line: Array(text.utf8)) == nil)
    }

    @Test(arguments: [[0xFF], [0xC3, 0x28], [0x00], [0x7B, 0x7D, 0x80]] as [[UInt8]])
    func invalidUTF8IsNil(bytes: [UInt8]) {
        #expect(Incoming(line: bytes) == nil)
        #expect(Incoming(line: Array(#"{"result":""#.utf8) + bytes + Array(#""}"#.utf8)) == nil)
    }

    @Test func aLineIsNestedAtMostSixtyFourDeep() {
        func line(_ depth: Int) -> [UInt8] {
            let brackets = (String(repeating: "[", count: depth - 1), String(repeating: "]", count: depth - 1))
            return Array("{\"result\":\(brackets.0)\(brackets.1)}".utf8)
        }
        #expect(Incoming(line: line(64)) != nil)
        #expect(Incoming(line: line(65)) == nil)
        #expect(Incoming(line: line(30_000)) == nil)
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","id":1,"result":{"emitted":3}}"#,
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"m","data":{"reason":"busy"}}}"#,
        #"{"jsonrpc":"2.0","method":"event","params":{"seq":1,"event":"lagged"}}"#,
    ])
    func aTruncatedLineIsNil(text: String) {
        let line = Array(text.utf8)
        #expect(Incoming(line: line) != nil)
        for length in line.indices { #expect(Incoming(line: Array(line[..<length])) == nil) }
    }
}
