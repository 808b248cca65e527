import CrossPromoKit
import PromoTestSupport
import PromoWire
import Testing

/// Reading events from their lines.
struct DaemonEventTests {
    private func event(_ json: String) throws -> DaemonEvent {
        try DaemonEvent(JSONDocument(Array(json.utf8), maximumDepth: 8).root)
    }

    @Test func eachKindHasItsMembers() throws {
        let head = "{\"seq\":42,\"at\":\"\(Replies.fetchedAt)\",\"event\""
        let tap = try event(head + ":\"tap\",\"app\":\"bookary\",\"host\":\"finebill\"}")
        #expect(tap.seq == 42)
        #expect(tap.at.rfc3339 == Replies.fetchedAt)
        #expect(tap.kind == .tap(app: "bookary", host: "finebill"))
        #expect(tap.json["app"]?.string == "bookary")
        let impression = try event(head + ":\"impression\",\"app\":\"bookary\",\"host\":null}")
        #expect(impression.kind == .impression(app: "bookary", host: nil))
        let catalog = try event(head + ":\"catalog\",\"state\":\"empty\",\"generation\":null}")
        #expect(catalog.kind == .catalog(state: .empty, generation: nil))
    }

    @Test(
        arguments: [
            ("{}", "seq"), ("{\"seq\":\"1\"}", "seq"), ("{\"seq\":1.5}", "seq"), ("{\"seq\":1}", "at"),
            ("{\"seq\":1,\"at\":\"soon\"}", "at"), ("{\"seq\":1,\"at\":\"2026-11-21T01:09:00Z\"}", "event"),
            ("{\"seq\":1,\"at\":\"2026-11-21T01:09:00Z\",\"event\":\"lagged\"}", "event"),
            ("{\"seq\":1,\"at\":\"2026-11-21T01:09:00Z\",\"event\":\"tap\"}", "app"),
            ("{\"seq\":1,\"at\":\"2026-11-21T01:09:00Z\",\"event\":\"tap\",\"app\":\"a\",\"host\":1}", "host"),
            ("{\"seq\":1,\"at\":\"2026-11-21T01:09:00Z\",\"event\":\"catalog\",\"state\":\"odd\"}", "state"),
        ])
    func theFirstMemberThatIsWrongIsNamed(json: String, member: String) {
        #expect(throws: MalformedResult(member: member)) { try event(json) }
    }
}
