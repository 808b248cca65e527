import PromoWire
import Testing

/// The form of a reply and of an error reply.
struct ReplyTests {
    private func id(_ text: String) throws -> RequestID {
        try #require(RequestID(try json(text)))
    }

    @Test func aReplyHasTheIDAndTheResult() throws {
        let id = try id("1")
        let reply = written { $0.reply(to: id) { $0.object { $0.member("cleared", true) } } }
        #expect(reply == #"{"jsonrpc":"2.0","id":1,"result":{"cleared":true}}"#)
    }

    @Test func anErrorReplyHasTheIDTheCodeTheMessageAndTheReason() throws {
        let id = try id(#""a""#)
        let reply = written { $0.reply(to: id, error: RequestError(.unknownMethod, "There is no \"x\".")) }
        let expected =
            #"{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"There is no \"x\".","#
            + #""data":{"reason":"unknown-method"}}}"#
        #expect(reply == expected)
    }

    @Test func aReplyWithoutIDHasIDNull() {
        let reply = written { $0.reply(to: .null, error: RequestError(.tooLarge, "x")) }
        #expect(reply.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32004,"#))
    }

    @Test func repliesInABatchAreSeparatedByOneComma() throws {
        let id = try id("2")
        let replies = written { writer in
            writer.array { writer in
                writer.reply(to: .null, error: RequestError(.internal, "x"))
                writer.reply(to: id) { $0.value(nil as String?) }
            }
        }
        let value = try json(replies)
        #expect(value.elements.map { $0["id"]?.kind } == [.null, .number])
        #expect(replies.hasSuffix(#"}}},{"jsonrpc":"2.0","id":2,"result":null}]"#))
    }

    @Test(arguments: ErrorReason.allCases)
    func everyErrorReplyIsStrictJSONOnOneLine(reason: ErrorReason) throws {
        let reply = written { $0.reply(to: .null, error: RequestError(reason, "a\"\\\n\u{0}\u{D55C}")) }
        let error = try #require(try json(reply)["error"])
        #expect(error["code"]?.integer == reason.code)
        #expect(error["message"]?.isString("a\"\\\n\u{0}\u{D55C}") == true)
        #expect(error["data"]?["reason"]?.isString(reason.rawValue) == true)
        #expect(!reply.utf8.contains(0x0A))
    }
}
