import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// The built daemon against nginx over TLS.
struct OriginTests {
    private func time(_ text: Any?) throws -> Timestamp {
        try #require((text as? String).flatMap { Timestamp(rfc3339: $0) })
    }

    @Test func theFirstStartIsFreshWithinTwoSeconds() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin)
        let catalog = try daemon.catalog()
        #expect((catalog["state"] as? String, catalog["source"] as? String) == ("fresh", "origin"))
        let started = try time(daemon.status().result["startedAt"])
        #expect(try time(catalog["fetchedAt"]) - started <= .seconds(2))
        #expect(try daemon.problems() == [:])
        #expect(origin.log.first?.contains("gzip=-") == false, "the catalog came uncompressed")
    }

    @Test func nginxTakesTheExampleOfACache() throws {
        let origin = try NginxOrigin()
        var example = try String(contentsOf: repository.appending(path: "packaging/nginx.conf"), encoding: .utf8)
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
        let daemon = try DaemonUnderTest.keeping(origin)
        #expect(try PromoctlUnderTest(daemon).run("status").output.contains("  1 hour  "))
    }

    @Test func aCAFileThatCannotBeUsedAnyMoreIsNamedWithItsProblem() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin)
        func problem() throws -> String {
            let reply = try daemon.refresh()
            #expect(reply.failure == "configuration")
            return reply.description
        }
        try origin.scratch.write("ca.pem", "no certificates")
        #expect(try problem().contains("ca.pem holds no readable PEM certificate."))
        // A pipe must not hold up the process that fetches.
        unlink(origin.caFile)
        #expect(mkfifo(origin.caFile, 0o600) == 0)
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
        let entry = origin.url.replacing("catalog.json", with: "entry.json")
        let daemon = try DaemonUnderTest.keeping(origin, settings: ["catalog-url": entry])
        #expect(try !daemon.ask(#"{"method":"list"}"#).description.contains("FineBill Pro"))
        if isMoved { try origin.scratch.write("www/moved", "") }
        let reply = try daemon.refresh()
        #expect(reply.outcome == (isMoved ? "updated" : "unchanged"))
        let place = isMoved ? origin.url.replacing("catalog.json", with: "other.json") : origin.url
        #expect(reply.result["redirectedTo"] as? String == place)
        #expect(try daemon.ask(#"{"method":"list"}"#).description.contains("FineBill Pro") == isMoved)
        let served = origin.log.dropFirst(2).map { line in
            line.split(separator: " ")[1...2].joined(separator: " ").replacing(/=[0-9.]+/, with: "")
        }
        let moved = ["/entry.json 302", "/other.json 304", "/entry.json 302", "/other.json 200"]
        #expect(served == (isMoved ? moved : ["/entry.json 302", "/catalog.json?signature 304"]))
    }

    @Test(arguments: [("TLSv1 TLSv1.1", "tls"), ("TLSv1.2", nil), ("TLSv1.3", nil)])
    func anOriginHasToSpeakTLSFrom12On(versions: String, failure: String?) throws {
        let origin = try NginxOrigin(
            locations: "ssl_protocols \(versions); ssl_ciphers ALL:@SECLEVEL=0;")
        let daemon = try DaemonUnderTest(settings: origin.settings)
        #expect(try daemon.ask(#"{"method":"refresh"}"#).failure == failure)
    }
}
