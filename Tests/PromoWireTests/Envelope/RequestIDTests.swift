import PromoWire
import Testing

/// An id is a string, a number or null (JSON-RPC 2.0, section 4) and comes back byte for byte (section 5).
struct RequestIDTests {
    private static let ids = [
        "0", "1", "-0", "1.0", "1.50", "1e5", "1E+05", "-1.5e-300", "123456789012345678901234567890", "null", #""""#,
        #""a""#, #""\u0061""#, #""\/""#, #""\ud83d\ude00""#, #""\u0000""#, "\"\u{D55C}\u{1F600}\"", "\"\u{7F}\"",
        #""\\\"\n""#, #""null""#, #""1""#, #""{""#,
    ]

    @Test(arguments: ids)
    func anIDComesBackByteForByteInAnEnvelope(id: String) throws {
        #expect(try call(#"{"jsonrpc":"2.0","id":\#(id),"method":"status"}"#).replyID == id)
        #expect(try call(#"{"jsonrpc":"2.0","method":"status","id": \#(id) }"#).replyID == id)
    }

    @Test(arguments: ids)
    func anIDComesBackByteForByteInAFlatLine(id: String) throws {
        let call = try call(#"{"id":\#(id),"method":"list","host":"finebill"}"#)
        #expect(call.replyID == id)
        #expect(call.request?.method == .list(ListParameters(host: "finebill")))
    }

    @Test(arguments: ids)
    func anIDComesBackWithAnError(id: String) throws {
        #expect(try rejection(#"{"jsonrpc":"2.0","id":\#(id),"method":"nothing"}"#).id == id)
        #expect(try rejection(#"{"jsonrpc":"3.0","id":\#(id),"method":"list"}"#).id == id)
        #expect(try rejection(#"{"jsonrpc":"2.0","id":\#(id)}"#).id == id)
        #expect(try rejection(#"{"id":\#(id),"query":"list"}"#).id == id)
    }

    @Test(arguments: ids)
    func anIDIsInTheReplyAsItWasInTheRequest(id: String) throws {
        let value = try #require(RequestID(try json(id)))
        let reply = written { $0.reply(to: value) { $0.object { _ in } } }
        #expect(reply == #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
    }

    @Test(arguments: ["true", "false", "[]", "[1]", "{}", #"{"a":1}"#])
    func anyOtherIDIsAnInvalidRequestAnsweredWithIDNull(id: String) throws {
        for line in [#"{"jsonrpc":"2.0","id":\#(id),"method":"status"}"#, #"{"id":\#(id),"method":"status"}"#] {
            let rejection = try rejection(line)
            #expect(rejection.reason == .invalidRequest)
            #expect(rejection.id == "null")
            #expect(rejection.message.contains("\"id\""))
        }
    }

    @Test func theNullIDIsNull() throws {
        #expect(RequestID.null == RequestID(try json("null")))
        #expect(RequestID.null.json.elementsEqual("null".utf8))
    }
}
