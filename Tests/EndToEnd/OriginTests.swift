import Foundation
import PromoTestSupport
import Testing

/// The built daemon against nginx over TLS.
struct OriginTests {
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
        #expect(try comes { try daemon.catalog()["lastOutcome"] is String })
        return try daemon.ask(#"{"method":"list"}"#)
    }

    @Test func theFirstStartIsFreshWithinTwoSecondsAndAnswersByTheRules() throws {
        let origin = try NginxOrigin()
        let daemon = try daemon(origin)
        #expect(try waitForCatalog(daemon).state == "fresh")
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

    @Test func nginxTakesTheExampleOfACache() throws {
        let origin = try NginxOrigin()
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var example = try String(contentsOf: root.appending(path: "packaging/nginx.conf"), encoding: .utf8)
        for (theirs, ours) in [
            ("/etc/letsencrypt/live/apps.example.com/fullchain.pem", origin.scratch("server.pem")),
            ("/etc/letsencrypt/live/apps.example.com/privkey.pem", origin.scratch("server.key")),
            ("/var/cache/nginx-promod", origin.scratch("cache")), ("origin.example.com", "127.0.0.1"),
        ] {
            #expect(example.contains(theirs))
            example.replace(theirs, with: ours)
        }
        try origin.scratch.write(
            "example.conf", "pid \(origin.scratch("example.pid")); events {} http {\n\(example)\n}")
        let (end, _, error) = try ChildProcess.run(
            ["nginx", "-t", "-e", origin.scratch("example.log"), "-c", origin.scratch("example.conf")])
        #expect(end == .exited(0), "\(error)")
    }

    @Test func whatACacheHasKeptForAnHourIsAnHourOld() throws {
        let origin = try NginxOrigin(locations: "add_header Age 3600;")
        let daemon = try daemon(origin)
        let began = Date.now
        #expect(try waitForCatalog(daemon).state == "fresh")
        let fetched = try #require(
            ISO8601DateFormatter().date(from: try daemon.catalog()["fetchedAt"] as? String ?? ""))
        #expect(abs(began.timeIntervalSince(fetched) - 3600) < 60)
        #expect(try PromoctlUnderTest(daemon).run("status").output.contains("1 hour"))
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
        try origin.scratch.write("ca.pem", "no certificates")
        #expect(try problem().contains("ca.pem holds no readable PEM certificate."))
        // A pipe must not hold up the process that fetches.
        #expect(unlink(origin.caFile) == 0 && mkfifo(origin.caFile, 0o600) == 0)
        #expect(try problem().contains("ca.pem cannot be read"))
    }

    /// Two catalogs of the same second: the validators of one say nothing about the other. The second refresh within a minute would have
    /// no conditions.
    @Test(arguments: [false, true])
    func theTargetOfARedirectConfirmsWhatItHasSentHoweverItIsSignedAndNothingElse(isMoved: Bool) throws {
        let origin = try NginxOrigin(
            locations: """
                etag off;
                location = /entry.json {
                    if (-f $document_root/moved) { return 302 https://localhost:$server_port/other.json; }
                    return 302 https://localhost:$server_port/catalog.json?signature=$msec;
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
        if isMoved { try origin.scratch.write("www/moved", "") }
        let reply = try daemon.refresh()
        #expect(reply.outcome == (isMoved ? "updated" : "unchanged"))
        let place = isMoved ? origin.url.replacingOccurrences(of: "catalog.json", with: "other.json") : origin.url
        #expect(reply.result["redirectedTo"] as? String == place)
        #expect(try daemon.ask(#"{"method":"list"}"#).description.contains("FineBill Pro") == isMoved)
        let served = origin.log.dropFirst(2).map { line in
            line.split(separator: " ")[1...2].joined(separator: " ").replacing(
                /\?signature=[0-9.]+/, with: "?signature")
        }
        #expect(
            served
                == (isMoved
                    ? ["/entry.json 302", "/other.json 304", "/entry.json 302", "/other.json 200"]
                    : ["/entry.json 302", "/catalog.json?signature 304"]))
    }

    @Test(arguments: [("TLSv1 TLSv1.1", "tls"), ("TLSv1.2", nil), ("TLSv1.3", nil)])
    func anOriginHasToSpeakTLSFrom12On(versions: String, failure: String?) throws {
        let origin = try NginxOrigin(
            locations: "ssl_protocols \(versions); ssl_ciphers ALL:@SECLEVEL=0;")
        let daemon = try DaemonUnderTest(settings: origin.settings)
        let reply = try daemon.ask(#"{"method":"refresh"}"#)
        #expect(reply.failure == failure)
    }
}
