import Foundation
import PromoTestSupport
import Testing

/// The notices below the list, and the wait for the first fetch.
struct PromoctlFreshnessTests {
    /// An origin that takes about a second to send its catalog.
    private func slowOrigin() throws -> NginxOrigin {
        let origin = try NginxOrigin(
            locations: "location = /slow.json { gzip off; limit_rate 2k; try_files /catalog.json =404; }")
        try origin.publish(SampleFile.text + String(repeating: " ", count: 2000))
        return origin
    }

    private func startFetching(_ origin: NginxOrigin) throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest(environment: [
            "PROMOD_CATALOG_URL": "https://localhost:\(origin.port)/slow.json",
            "PROMOD_CATALOG_CA_FILE": origin.caFile,
        ])
        #expect(
            try comes { try daemon.catalog("refreshing") == true })
        return daemon
    }

    @Test func aFreshListHasNothingUnderIt() throws {
        let origin = try NginxOrigin()
        let promoctl = PromoctlUnderTest(try DaemonUnderTest.keeping(origin))
        let list = try promoctl.run("list")
        #expect(list.lines.count == 5)
        #expect(list.error == "")
        #expect(try promoctl.draw(columns: 80, "list").lines.count == 5)
    }

    @Test func aFirstFetchUnderWayIsWaitedFor() throws {
        let origin = try slowOrigin()
        let promoctl = PromoctlUnderTest(try startFetching(origin))
        let list = try promoctl.run("list")
        #expect(list.lines.count == 5)
        #expect(list.error == "")
    }

    @Test func aResultOnOneLineWaitsForAFirstFetchToo() throws {
        let origin = try slowOrigin()
        let promoctl = PromoctlUnderTest(try startFetching(origin))
        let json = try promoctl.run("list", "--json").json
        #expect(json["state"] as? String == "loaded")
        #expect((json["apps"] as? [Any])?.count == 5)
    }

    @Test func onATerminalTheWaitIsShownAndLeavesNothingBehind() throws {
        let origin = try slowOrigin()
        let drawn = try PromoctlUnderTest(try startFetching(origin)).draw(columns: 80, "list")
        #expect(drawn.text.contains("The first fetch is under way…"))
        #expect(drawn.lines.count == 5)
        #expect(drawn.lines.first?.contains("FineBill") == true)
        #expect(drawn.screen.others == [])
    }

    @Test func anExpiredListSaysSinceWhen() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin, environment: ["PROMOD_REFRESH_INTERVAL": "1s"])
        let promoctl = PromoctlUnderTest(daemon)
        origin.stop()
        #expect(try comes { try daemon.ask(#"{"method":"list"}"#).state == "cached" })
        let list = try promoctl.run("list")
        #expect(list.lines.count == 5)
        let age = "This list is from \(shortTime), a moment ago; .*"
        #expect(list.error.matches(age + "\n"), "\(list.error)")
        let drawn = try promoctl.draw(columns: 120, "list")
        #expect(drawn.lines.dropLast().last == "")
        #expect(drawn.lines.last?.matches(age) == true)
        #expect(try promoctl.run("list", "--json").json["state"] as? String == "cached")
    }

    @Test func withoutACatalogTheListSaysSoAndWhatComesNext() throws {
        let nobody = try LoopbackPort()
        defer { withExtendedLifetime(nobody) {} }
        let daemon = try DaemonUnderTest(environment: ["PROMOD_CATALOG_URL": "https://localhost:\(nobody.number)/"])
        try daemon.waitForFirstAttempt()
        let promoctl = PromoctlUnderTest(daemon)
        let list = try promoctl.run("list")
        #expect(list.output == "")
        #expect(
            list.error.matches(
                "promoctl: There is no catalog. .*Connection refused. promod tries again at \(shortTime); to try now: "
                    + "promoctl refresh\n"),
            "\(list.error)")
        #expect(list.code == 75)
        #expect(try promoctl.draw(columns: 80, "list").lines == list.error.split(separator: "\n").map(String.init))
    }

    @Test func ifTheOriginAskedForAPauseTheListSaysUntilWhen() throws {
        let origin = try NginxOrigin(
            locations: "location = /busy.json { add_header Retry-After 3600 always; return 503; }")
        let daemon = try DaemonUnderTest(environment: [
            "PROMOD_CATALOG_URL": "https://localhost:\(origin.port)/busy.json",
            "PROMOD_CATALOG_CA_FILE": origin.caFile,
        ])
        try daemon.waitForFirstAttempt()
        let list = try PromoctlUnderTest(daemon).run("list")
        #expect(list.code == 75)
        #expect(
            list.error.matches(".*503.* promod tries again at \(shortTime); to try now: promoctl refresh\n"),
            "\(list.error)")
    }
}
