import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// Which apps a list leaves out because the review history says so, and what it says about pictures.
struct LeftOutTests {
    @Test func launchedAppsAreLeftOutOnRequestOnlyAndAnEmptyListSaysWhy() throws {
        var desk = try Desk.serving()
        func reason(_ parameters: String) throws -> JSON? {
            try desk.ask("{\"method\":\"list\"\(parameters)}").result["emptyBecause"]
        }
        #expect(try reason("") == nil)
        #expect(try reason(#","host":"littory""#) == "rule")
        #expect(try reason(#","host":"littory","unlaunched":true"#) == "rule")
        desk.snapshot.launched = ["bookary", "finepomo"]
        for parameters in ["", #","unlaunched":false"#] {
            #expect(try reason(#","host":"finebill"\#(parameters)"#) == nil)
        }
        #expect(try reason(#","host":"finebill","unlaunched":true"#) == "launched")
        desk = Desk.empty()
        #expect(try reason("") == nil)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func theRestIsInOrderForAnyHostAndAnySelection(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let all = (0..<Int.random(in: 1...12, using: &generator)).map { "app\($0)" }
        let rule = all.filter { _ in Bool.random(using: &generator) }
        let text = catalog(
            all.map { app($0) }, rules: "{\"app0\":[\(rule.map { "\"\($0)\"" }.joined(separator: ","))]}")
        let prepared = PreparedCatalog(try AppCatalog(Array(text.utf8)), generation: "0")
        let excluded = all.filter { _ in Bool.random(using: &generator) } + ["other"]
        for host in [nil, "app0", "app1", "guest"] {
            let before = prepared.selection(host: host).ranges.flatMap { $0 }
            let rest = before.filter { !excluded.contains(all[$0]) }
            for limit in [nil, 1, 3] {
                let after = prepared.selection(host: host).first(
                    limit, among: prepared.positions(without: Set(excluded)))
                #expect(after.flatMap { $0 } == Array(rest.prefix(limit ?? .max)))
                #expect(after.allSatisfy { !$0.isEmpty })
            }
        }
    }

    // MARK: Icons

    @Test func withIconsEachAppHasAPathOrNullAndTheRestIsTheSame() throws {
        var desk = try Desk.serving()
        let served = try #require(desk.snapshot.first.served)
        let url = try #require(served.catalog.app("bookary")?.iconURL)
        desk.snapshot.first.icons = IconSnapshot(arrivals: 1) { $0 == url ? "/cache/\"x\".png" : nil }
        for language in ["en", "ko", "*"] {
            let plain = try desk.ask("{\"method\":\"list\",\"language\":\"\(language)\"}")
            let reply = try desk.ask("{\"method\":\"list\",\"language\":\"\(language)\",\"icons\":true}")
            #expect(reply.answer == .written())
            #expect(try reply.result["apps"]?.elements[1]["iconPath"] == "/cache/\"x\".png")
            let text = String(decoding: reply.bytes, as: UTF8.self)
                .replacing(",\"iconPath\":null", with: "").replacing(",\"iconPath\":\"/cache/\\\"x\\\".png\"", with: "")
            #expect(text == String(decoding: plain.bytes, as: UTF8.self))
        }
    }
}
