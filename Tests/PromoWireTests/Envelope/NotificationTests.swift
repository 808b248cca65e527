import PromoWire
import Testing

/// With `"jsonrpc":"2.0"` a request without `id` is a notification and gets no reply (JSON-RPC 2.0, section 4.1).
struct NotificationTests {
    @Test func aNotificationIsCarriedOutWithoutAReply() throws {
        let call = try call(#"{"jsonrpc":"2.0","method":"tap","params":{"app":"bookary"}}"#)
        #expect(call.request?.method == .tap(TapParameters(app: "bookary")))
        #expect(call.replyID == nil)
    }

    private static let broken: [String] = [
        #"{"jsonrpc":"2.0","method":"nothing"}"#,
        #"{"jsonrpc":"2.0","method":""}"#,
        #"{"jsonrpc":"2.0","method":"list","params":{"limit":0}}"#,
        #"{"jsonrpc":"2.0","method":"list","params":{"color":"red"}}"#,
        #"{"jsonrpc":"2.0","method":"list","params":[1]}"#,
        #"{"jsonrpc":"2.0","method":"list","params":null}"#,
        #"{"jsonrpc":"2.0","method":"tap"}"#,
    ]

    @Test(arguments: broken)
    func aNotificationThatCannotBeCarriedOutIsDropped(line: String) throws {
        let call = try call(line)
        #expect(call.isDropped)
        #expect(call.replyID == nil)
    }

    @Test(
        arguments: [
            #"{"jsonrpc":"2.0"}"#, #"{"jsonrpc":"2.0","method":1}"#, #"{"jsonrpc":"2.0","method":"list","host":"a"}"#,
            #"{"jsonrpc":"1.0","method":"list"}"#, #"{"jsonrpc":2.0,"method":"list"}"#,
        ])
    func anInvalidRequestWithoutIDIsAnsweredNonetheless(line: String) throws {
        let rejection = try rejection(line)
        #expect(rejection.reason == .invalidRequest)
        #expect(rejection.id == "null")
    }

    @Test func anIDOfNullAsksForAReply() throws {
        let call = try call(#"{"jsonrpc":"2.0","id":null,"method":"status"}"#)
        #expect(call.request?.method == .status)
        #expect(call.replyID == "null")
    }

    @Test func anErrorWithAnIDIsAnswered() throws {
        let rejection = try rejection(#"{"jsonrpc":"2.0","id":5,"method":"nothing"}"#)
        #expect(rejection.reason == .unknownMethod)
        #expect(rejection.id == "5")
    }
}
