import PromoCore
import PromoTestSupport
import PromoWire
import Testing

@Suite struct DiscoverReplyTests {
    private let line = #"{"jsonrpc":"2.0","id":"d","method":"rpc.discover"}"#

    @Test func theResultIsTheProtocolsDocument() throws {
        for desk in [Desk.empty(), .loading(), try .serving()] {
            let reply = try desk.ask(line)
            #expect(reply.answer == .written())
            let root = try JSONDocument(reply.bytes, maximumDepth: 64).root
            #expect(root.members.compactMap(\.name.string) == ["jsonrpc", "id", "result"])
            #expect(root["id"]?.string == "d")
            #expect(root["result"]?.text.elementsEqual(OpenRPCDocument.json) == true)
        }
    }

    @Test func aClientCanReadIt() throws {
        let reply = try Desk.empty().ask(line)
        guard case .result(let result) = try #require(Incoming(line: reply.bytes)) else {
            Issue.record("the reply has no result")
            return
        }
        #expect(result["openrpc"]?.string == "1.3.2")
    }

    @Test func everyMemberOfItsSchemaIsThere() throws {
        let findings = try ResultSchema("rpc.discover").findings(try Desk.empty().ask(line))
        #expect(findings.filter { !$0.hasSuffix("is not named") } == [])
    }

    @Test func everyMemberIsInItsSchema() throws {
        let findings = try ResultSchema("rpc.discover").findings(try Desk.empty().ask(line))
        #expect(findings == [])
    }
}
