import PromoCore
import PromoWire
import Testing

@Suite struct ReplyIDTests {
    static let ids = [
        "1", "-0", "1.0e2", "0.10", "99999999999999999999", "null", #""""#, #""a\u00e9\/\"b""#, #""é😀""#,
        #""\ud83d\ude00""#,
    ]

    @Test(arguments: ids)
    func aResultBringsItBackByteForByte(id: String) throws {
        for method in [#""list""#, #""status""#, #""tap","params":{"app":"bookary"}"#] {
            let reply = try Desk.serving().ask(
                "{\"jsonrpc\":\"2.0\",\"id\": \(id) ,\"method\":\(method)}", after: .look)
            #expect(reply.bytes.starts(with: Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":{".utf8)))
            #expect(try reply.json["error"] == nil)
        }
    }

    @Test(arguments: ids)
    func anErrorBringsItBackByteForByte(id: String) throws {
        let reply = try Desk.empty().ask(
            "{\"jsonrpc\":\"2.0\",\"id\": \(id) ,\"method\":\"tap\",\"params\":{\"app\":\"x\"}}")
        #expect(reply.bytes.starts(with: Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"error\":{".utf8)))
        #expect(try reply.json["result"] == nil)
    }

    @Test func aLineWithoutAnIDGetsNull() throws {
        let reply = try Desk.serving().ask(#"{"method":"list"}"#)
        #expect(reply.bytes.starts(with: Array(#"{"jsonrpc":"2.0","id":null,"result":{"#.utf8)))
    }

    @Test func aReplyIsOneLine() throws {
        for line in [#"{"method":"list"}"#, #"{"method":"status"}"#, #"{"method":"tap","app":"a\nb"}"#] {
            #expect(try !Desk.serving().ask(line, after: .look).bytes.contains(UInt8(ascii: "\n")))
        }
    }
}
