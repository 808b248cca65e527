import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// One promod that keeps the catalogs of several publishers.
struct SeveralCatalogsTests {
    private func dropIn(_ name: String, _ origin: NginxOrigin, in scratch: ScratchDirectory) throws {
        try scratch.write("data/promod/catalogs.d/\(name).toml", origin.dropIn)
    }

    private func daemon(in scratch: ScratchDirectory) throws -> DaemonUnderTest {
        try DaemonUnderTest(in: scratch, catalog: nil)
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
        #expect(list.state == "fresh")
        #expect(try comes { try daemon.catalog("dead")["lastError"] as? String == "connect" })
        #expect(try daemon.catalog("silent")["state"] as? String == "loading")
        let notice = daemon.notify.wait { $0.contains("3 catalogs with 5 apps") && $0.contains("problem: ") }.last
        #expect(notice?.contains("problem: ") == true)
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
        let digest = try #require(try scratch.names(in: cache).first)
        let file = "\(cache)/\(digest)/schedule.json"
        let asked = #/"askedAt":"(.*?)"/#
        let today = try #require(scratch.read(file).firstMatch(of: asked)?.1)
        let before = try #require(Timestamp(rfc3339: String(today))) - .seconds(29 * 86_400)
        try scratch.write(file, scratch.read(file).replacing(today, with: before.rfc3339))

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
        #expect((list.state, list.source) == ("expired", "bundled"))
        #expect(list.result["fetchedAt"] is NSNull)
        try scratch.write("\(file).json", "{}")
        _ = try daemon.ask(#"{"method":"reload"}"#)
        #expect(daemon.logs("acme.json is ignored"))
        // A bad one takes nothing away, and is said.
        #expect(try daemon.ask(#"{"method":"list"}"#).apps.count == 5)
        let problem = try daemon.problems()["catalog-file"]
        #expect(problem?.hasPrefix("\(scratch("\(file).json")) is ignored: ") == true, "\(problem ?? "none")")
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
        #expect((event["catalog"] as? String, event["state"] as? String) == ("acme", "fresh"))
        #expect(origin.log.count == 1)
    }
}
