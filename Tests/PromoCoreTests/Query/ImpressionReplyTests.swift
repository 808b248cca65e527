import PromoCore
import PromoWire
import Testing

@Suite struct ImpressionReplyTests {
    private func see(_ ids: [String], _ desk: Desk? = nil) throws -> Desk.Reply {
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        return try (desk ?? .serving()).ask("{\"method\":\"impression\",\"apps\":[\(list)],\"host\":\"finebill\"}")
    }

    @Test func eachAppCounts() throws {
        let reply = try see(["bookary", "stedio", "finebill"])
        let events = ["bookary", "stedio", "finebill"].map { Event.impression(app: $0, host: "finebill") }
        #expect(reply.answer == .written(events))
        #expect(try reply.result == ["emitted": 3])
    }

    @Test func aHundredAreCounted() throws {
        #expect(try see(Array(repeating: "bookary", count: 100)).result == ["emitted": 100])
    }

    @Test(arguments: [["nobody"], ["bookary", "nobody"], ["nobody", "bookary"], ["bookary", "", "stedio"]])
    func oneUnknownAppRefusesAll(ids: [String]) throws {
        let reply = try see(ids)
        #expect(reply.answer == .written())
        #expect(try reply.error["code"] == -32001)
        #expect(try reply.error["data"] == ["reason": "unknown-app"])
    }

    @Test func whileEmptyThereIsNoCatalog() throws {
        let reply = try see(["bookary"], .empty())
        #expect(reply.answer == .written())
        #expect(try reply.error["code"] == -32002)
    }
}
