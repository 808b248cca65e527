import Foundation
import PromoTestSupport
import Testing

/// One promod that keeps the catalogs of several publishers.
struct SeveralCatalogsTests {
    private func dropIn(_ name: String, _ origin: NginxOrigin, in scratch: ScratchDirectory) throws {
        try scratch.write(
            "data/promod/catalogs.d/\(name).toml", "url = \"\(origin.url)\"\nca-file = \"\(origin.caFile)\"\n")
    }

    private func daemon(in scratch: ScratchDirectory) throws -> DaemonUnderTest {
        try DaemonUnderTest(in: scratch, catalog: nil)
    }

    private func catalogs(_ daemon: DaemonUnderTest) throws -> [String: [String: Any]] {
        let status = try daemon.ask(#"{"method":"status"}"#)
        let catalogs = status.result["catalogs"] as? [[String: Any]] ?? []
        return Dictionary(uniqueKeysWithValues: catalogs.map { ($0["name"] as? String ?? "", $0) })
    }

    @Test func oneOriginIsDeadOneIsSilentAndTheGoodOneIsServedAtOnce() throws {
        let (scratch, good, silent, dead) = (
            try ScratchDirectory(), try NginxOrigin(), try SilentListener(), try LoopbackPort()
        )
        try dropIn("good", good, in: scratch)
        try scratch.write(
            "data/promod/catalogs.d/silent.toml", "url = \"https://localhost:\(silent.port)/c.json\"\n")
        try scratch.write("data/promod/catalogs.d/dead.toml", "url = \"https://localhost:\(dead.number)/c.json\"\n")
        let daemon = try daemon(in: scratch)
        let list = try daemon.ask(#"{"method":"list","catalog":"good","wait":true}"#)
        #expect(list.state == "fresh" && list.apps.count == 5)
        #expect(
            try comes {
                try catalogs(daemon)["dead"]?["lastError"] as? String == "connect"
            })
        #expect(try catalogs(daemon)["silent"]?["state"] as? String == "loading")
        #expect(
            daemon.notify.wait(for: { $0.contains("3 catalogs with 5 apps") && $0.contains("problem: ") })
                .contains { $0.contains("problem: ") })
        // The one whose apps have the host, although another comes first.
        #expect(try daemon.ask(#"{"method":"list","host":"bookary"}"#).state == "fresh")
        #expect(daemon.logs("good: The catalog was updated: 5 apps"))
        #expect(daemon.stop() == .exited(0))
    }

    @Test func aListThatNeedsNoFetchKeepsTheCatalogOfAnAppFromResting() throws {
        let (scratch, origin) = (try ScratchDirectory(), try NginxOrigin())
        try dropIn("app-notes", origin, in: scratch)
        let first = try daemon(in: scratch)
        #expect(try first.ask(#"{"method":"list","wait":true}"#).state == "fresh")
        #expect(first.stop() == .exited(0))
        let cache = "cache/promod/catalogs"
        let digest = try #require(try FileManager.default.contentsOfDirectory(atPath: scratch(cache)).first)
        let file = "\(cache)/\(digest)/schedule.json"
        let asked = #/"askedAt":"(.*?)"/#
        let today = try #require(scratch.read(file).firstMatch(of: asked)?.1)
        let before = try ReviewHistoryFile.time(String(today), days: -29)
        try scratch.write(file, scratch.read(file).replacing(today, with: before))

        let second = try daemon(in: scratch)
        // A whole line, whose reply is kept for others like it.
        let client = try second.connect()
        client.send("{\"method\":\"list\"}\n")
        #expect(try Reply(client.readLines(1).first ?? "").state == "fresh")
        #expect(second.stop() == .exited(0))
        #expect(try #require(scratch.read(file).firstMatch(of: asked)?.1) >= today)
        #expect(origin.log.count == 1)
    }

    @Test func aBundledCatalogIsListedOfflineAsExpired() throws {
        let (scratch, dead) = (try ScratchDirectory(), try LoopbackPort())
        let file = "share/promod/catalogs.d/acme"
        try scratch.write("\(file).toml", "url = \"https://localhost:\(dead.number)/c.json\"\n")
        try scratch.write("\(file).json", SampleFile.text)
        let daemon = try daemon(in: scratch)
        let list = try daemon.ask(#"{"method":"list"}"#)
        #expect(list.state == "expired" && list.apps.count == 5 && list.result["source"] as? String == "bundled")
        #expect(list.result["fetchedAt"] is NSNull)
        try scratch.write("\(file).json", "{}")
        _ = try daemon.ask(#"{"method":"reload"}"#)
        #expect(daemon.logs("acme.json is ignored"))
        // A bad one takes nothing away, and is said.
        #expect(try daemon.ask(#"{"method":"list"}"#).apps.count == 5)
        let problem = try #require((daemon.ask(#"{"method":"status"}"#).result["problems"] as? [[String: Any]])?.first)
        #expect(problem["code"] as? String == "catalog-file")
        #expect(problem["subject"] as? String == scratch("\(file).json"))
        let text = problem["text"] as? String
        #expect(text?.hasPrefix("\(scratch("\(file).json")) is ignored: ") == true, "\(problem)")
        unlink(scratch("\(file).json"))
        #expect(try comes { try daemon.ask(#"{"method":"list"}"#).state != "expired" })
    }

    @Test func aSubscriberHearsThatItsNameMeansAnotherCatalog() throws {
        let (scratch, origin, other) = (try ScratchDirectory(), try NginxOrigin(), try NginxOrigin())
        try dropIn("acme", origin, in: scratch)
        try dropIn("zed", other, in: scratch)
        let daemon = try daemon(in: scratch)
        for name in ["acme", "zed"] { _ = try daemon.ask(#"{"method":"list","catalog":"\#(name)","wait":true}"#) }
        let subscriber = try Subscriber(daemon, #""catalog":"zed","events":["catalog"]"#)
        try dropIn("zed", origin, in: scratch)
        let event = try subscriber.next().event
        #expect(event["catalog"] as? String == "acme" && event["state"] as? String == "fresh", "\(event)")
        #expect(origin.log.count == 1)
    }
}
