import Foundation
import PromoTestSupport
import Testing

/// The built daemon against nginx over TLS.
@Suite(.serialized) struct OriginTests {
    private func daemon(
        _ origin: NginxOrigin, in scratch: ScratchDirectory? = nil, _ more: String...
    ) throws -> DaemonUnderTest {
        let scratch = try scratch ?? ScratchDirectory()
        try scratch.write(
            "config/promod/catalogs.d/default.toml", "url = \"\(origin.url)\"\nca-file = \"\(origin.caFile)\"\n")
        try scratch.write("config/promod/config.toml", "[refresh]\n\(more.joined(separator: "\n"))\n")
        return try DaemonUnderTest(in: scratch)
    }

    /// The list after a daemon's very first fetch, which begins a moment after READY.
    private func waitForCatalog(_ daemon: DaemonUnderTest) throws -> Reply {
        while try daemon.catalog()["lastOutcome"] is NSNull {}
        return try daemon.ask(#"{"method":"list"}"#)
    }

    @Test func theFirstStartIsFreshWithinTwoSecondsAndAnswersByTheRules() throws {
        let origin = try NginxOrigin()
        let daemon = try daemon(origin)
        #expect(try waitForCatalog(daemon).state == "loaded")
        let status = try daemon.ask(#"{"method":"status"}"#)
        let format = ISO8601DateFormatter()
        let started = try #require(format.date(from: status.result["startedAt"] as? String ?? ""))
        let catalog = try daemon.catalog()
        let fetched = try #require(format.date(from: catalog["fetchedAt"] as? String ?? ""))
        #expect(fetched.timeIntervalSince(started) <= 2)
        #expect(catalog["source"] as? String == "origin")
        #expect(try daemon.problems().isEmpty)

        let finebill = try daemon.ask(#"{"method":"list","host":"finebill","language":"ko"}"#)
        #expect(finebill.apps == ["bookary", "finepomo"])
        #expect(finebill.description.contains("읽은 책을 위한 다이어리"))
        #expect(try daemon.ask(#"{"method":"list","host":"littory"}"#).apps == [])
        let unknown = try daemon.ask(#"{"method":"list","host":"newcomer"}"#)
        #expect(unknown.apps == ["finebill", "bookary", "finepomo", "stedio", "littory"])
        #expect(unknown.result["hostKnown"] as? Bool == false)
        #expect(origin.log.first?.contains("gzip=-") == false, "the catalog came uncompressed")
        #expect(daemon.stop() == .exited(0))
    }

    @Test func aSecondRefreshIsA304AndAChangedFileIsAnUpdateAndABrokenOneKeepsTheOld() throws {
        let origin = try NginxOrigin()
        let daemon = try daemon(origin)
        let first = try waitForCatalog(daemon)
        let unchanged = try daemon.refresh()
        #expect(unchanged.outcome == "unchanged")
        #expect(origin.log.last?.contains("GET /catalog.json 304 promod/") == true)

        try origin.publish(SampleFile.renamed)
        let updated = try daemon.refresh()
        #expect(updated.outcome == "updated")
        #expect(updated.result["generation"] as? String != first.result["generation"] as? String)

        try origin.publish(#"{"apps":[]}"#)
        let broken = try daemon.refresh()
        #expect(broken.outcome == "failed")
        #expect(broken.failure == "schema")
        let kept = try daemon.ask(#"{"method":"list"}"#)
        #expect(kept.state == "loaded")
        #expect(kept.description.contains("FineBill Pro"))
    }

    @Test func withoutTheOriginTheCatalogIsStillServedAndAfterARestartFromTheFile() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let first = try daemon(origin, in: scratch, #"interval = "1s""#)
        #expect(try waitForCatalog(first).apps.count == 5)
        origin.stop()
        #expect(try comes { try first.ask(#"{"method":"refresh"}"#).failure == "connect" })
        #expect(try first.ask(#"{"method":"list"}"#).apps.count == 5)
        #expect(first.stop() == .exited(0))

        let second = try daemon(origin, in: scratch, #"interval = "1s""#)
        var reply = try second.ask(#"{"method":"list"}"#)
        while reply.state == "loaded" { reply = try second.ask(#"{"method":"list"}"#) }
        #expect(reply.state == "cached")
        #expect(reply.result["source"] as? String == "origin")
        #expect(reply.apps.count == 5)
        let catalog = try second.catalog()
        #expect(catalog["state"] as? String == "cached")
        #expect(catalog["nextReason"] as? String == "retry")
    }

    @Test func aCAFileThatCannotBeUsedAnyMoreIsNamedWithItsProblem() throws {
        let origin = try NginxOrigin()
        let daemon = try daemon(origin)
        _ = try waitForCatalog(daemon)
        func problem() throws -> String {
            let reply = try daemon.refresh()
            #expect(reply.failure == "configuration")
            return reply.description
        }
        let file = URL(fileURLWithPath: origin.caFile)
        let certificate = try Data(contentsOf: file)
        try Data("no certificates".utf8).write(to: file)
        #expect(try problem().contains("ca.pem does not hold certificates in PEM that can be read."))
        try FileManager.default.removeItem(at: file)
        #expect(try problem().contains("ca.pem cannot be read: No such file or directory (errno 2)"))
        // A pipe must not hold up the process that fetches.
        #expect(mkfifo(origin.caFile, 0o600) == 0)
        #expect(try problem().contains("ca.pem cannot be read"))
        try FileManager.default.removeItem(at: file)
        try certificate.write(to: file)
        #expect(try daemon.refresh().outcome == "unchanged")
    }

    /// Two catalogs of the same second, between which a redirect changes: the validators of one say nothing about the other.
    @Test func theNewTargetOfARedirectIsAskedWithoutTheValidatorsOfTheFormer() throws {
        let origin = try NginxOrigin(
            locations: """
                etag off;
                location = /entry.json {
                    if (-f $document_root/moved) { return 302 https://localhost:$server_port/other.json; }
                    return 302 https://localhost:$server_port/catalog.json;
                }
                """)
        try origin.scratch.write("www/other.json", SampleFile.renamed)
        for name in ["catalog.json", "other.json"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
                ofItemAtPath: origin.scratch("www/\(name)"))
        }
        let scratch = try ScratchDirectory()
        let entry = origin.url.replacingOccurrences(of: "catalog.json", with: "entry.json")
        try scratch.write(
            "config/promod/catalogs.d/default.toml",
            "url = \"\(entry)\"\nca-file = \"\(origin.caFile)\"\n")
        let daemon = try DaemonUnderTest(in: scratch)
        #expect(try waitForCatalog(daemon).description.contains("FineBill Pro") == false)
        // The same target confirms what is held.
        let same = try daemon.refresh()
        #expect(same.outcome == "unchanged" && same.result["redirectedTo"] as? String == origin.url)
        #expect(origin.log.last?.contains("GET /catalog.json 304") == true)
        try origin.scratch.write("www/moved", "")
        #expect(try daemon.refresh().outcome == "updated")
        #expect(origin.log.last?.contains("GET /other.json 200") == true)
        #expect(try daemon.ask(#"{"method":"list"}"#).description.contains("FineBill Pro"))
    }

    @Test func aCacheOfAnotherOriginIsNotServed() throws {
        let (one, other) = (try NginxOrigin(), try NginxOrigin())
        try other.publish(SampleFile.renamed)
        let scratch = try ScratchDirectory()
        let first = try daemon(one, in: scratch)
        #expect(try waitForCatalog(first).description.contains("FineBill Pro") == false)
        #expect(first.stop() == .exited(0))
        other.stop()
        let second = try daemon(other, in: scratch)
        #expect(try second.ask(#"{"method":"refresh"}"#).failure == "connect")
        #expect(try second.ask(#"{"method":"list"}"#).state == "empty")
        try other.start()
        #expect(try second.refresh().outcome == "updated")
        #expect(try second.ask(#"{"method":"list"}"#).description.contains("FineBill Pro"))
    }

    @Test func aDamagedCacheIsSetAsideAndFetchedAgain() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let first = try daemon(origin, in: scratch)
        _ = try waitForCatalog(first)
        let path = String(try first.cachedFile.dropFirst(scratch.path.count + 1))
        first.stop()
        try scratch.write(path, scratch.read(path).replacingOccurrences(of: "Stedio", with: "Stadio"))
        let second = try daemon(origin, in: scratch)
        // If the first fetch has already ended, this is the second.
        #expect(try second.ask(#"{"method":"refresh"}"#).failure == nil)
        #expect(try second.ask(#"{"method":"list"}"#).description.contains("Stedio"))
        #expect(scratch.read(path + ".damaged").contains("Stadio"))
        #expect(second.logs("set aside"))
    }

    @Test(arguments: [("TLSv1 TLSv1.1", "tls"), ("TLSv1.2", nil), ("TLSv1.3", nil)])
    func anOriginHasToSpeakTLSFrom12On(versions: String, failure: String?) throws {
        let origin = try NginxOrigin(
            locations: "ssl_protocols \(versions); ssl_ciphers ALL:@SECLEVEL=0;")
        let daemon = try DaemonUnderTest(
            environment: ["PROMOD_CATALOG_CA_FILE": origin.caFile], "--catalog-url", origin.url)
        let reply = try daemon.ask(#"{"method":"refresh"}"#)
        #expect(reply.failure == failure)
    }

    @Test func whatACatalogSaysReachesStandardErrorPrintable() throws {
        let origin = try NginxOrigin()
        try origin.publish(
            #"""
            {"apps":[{"id":"a","name":"A","appStoreID":"1","iconURL":"https://a.example/i","category":"c",
            "tagline":{"en":"t"}}],"promoRules":{"\u001b[31m\u0007\n21 Nov 00:00:00 error: forged":7}}
            """#)
        let daemon = try DaemonUnderTest(environment: [
            "PROMOD_CATALOG_URL": origin.url, "PROMOD_CATALOG_CA_FILE": origin.caFile,
        ])
        _ = try waitForCatalog(daemon)
        #expect(daemon.stop() == .exited(0))
        let log = daemon.process.standardError
        #expect(log.contains("forged"))
        #expect(log.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" })
        #expect(
            !log.split(separator: "\n").contains { $0.contains(" error: forged") && !$0.contains("refresh failed") })
    }

    @Test func aRetryAfterCountsWhateverTheErrorsBodyIs() throws {
        let origin = try NginxOrigin(
            locations: """
                location = /busy.json { add_header Retry-After 3600 always; error_page 503 /large.json; return 503; }
                location = /large.json { add_header Retry-After 3600 always; }
                """)
        try origin.scratch.write("www/large.json", String(repeating: " ", count: 6_000_000))
        let daemon = try DaemonUnderTest(
            environment: ["PROMOD_CATALOG_CA_FILE": origin.caFile], "--catalog-url",
            "https://localhost:\(origin.port)/busy.json")
        _ = try waitForCatalog(daemon)
        let catalog = try daemon.catalog()
        #expect(catalog["nextReason"] as? String == "retry-after")
        #expect(catalog["lastError"] as? String == "unavailable")
    }

    @Test func aFetchFromASilentOriginEndsAtOnceWhenTheDaemonStops() throws {
        // A listener whose backlog accepts connections that are never answered.
        let silent = try SilentListener()
        let daemon = try DaemonUnderTest("--catalog-url", "https://localhost:\(silent.port)/")
        let client = try daemon.connect()
        client.send("{\"method\":\"clear\"}\n")
        #expect(client.readLines(1).count == 1)
        #expect(daemon.stop() == .exited(0))
    }

    @Test func clearForgetsTheCatalogAndFetchesItAgain() throws {
        let origin = try NginxOrigin()
        let daemon = try daemon(origin)
        let before = try waitForCatalog(daemon)
        let client = try daemon.connect()
        client.send("{\"method\":\"clear\"}\n")
        #expect(client.readLines(1) == [#"{"jsonrpc":"2.0","id":null,"result":{"cleared":true}}"#])
        while try daemon.ask(#"{"method":"list"}"#).apps.isEmpty {}
        let after = try daemon.ask(#"{"method":"list"}"#)
        #expect(after.result["generation"] as? String == before.result["generation"] as? String)
        // There were no validators left to send.
        #expect(origin.log.filter { $0.contains("/catalog.json 200") }.count == 2)
    }
}
