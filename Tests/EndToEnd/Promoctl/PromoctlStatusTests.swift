import Foundation
import PromoTestSupport
import Testing

/// `promoctl status`.
struct PromoctlStatusTests {
    @Test func theSampleIsNamedWithWhatToDo() throws {
        let daemon = try DaemonUnderTest()
        let status = try PromoctlUnderTest(daemon).run("status")
        let (scratch, pid) = (daemon.scratch, daemon.process.pid)
        #expect((status.code, status.error) == (0, ""))
        try #require(status.lines.count == 12, "\(status)")
        #expect(status.lines[0].hasPrefix("The sample catalog is served"))
        #expect(status.lines[1].matches(" Catalog  5 apps, generation [0-9a-f]{16}"))
        #expect(status.lines[2] == "  Origin  none")
        #expect(status.lines[3].hasPrefix("    Next  no fetch"))
        #expect(status.lines[4].matches(" Network  (online|offline: there is no route to the internet)"))
        let (path, cached) = (scratch("run/promod/promod.sock"), try daemon.cachedFile)
        #expect(
            status.lines[5...8] == [
                "   Cache  \(cached) (nothing stored)",
                "Settings  no file",
                "  Socket  \(path) (1 connection, 0 subscribers)",
                " Queries  0 errors",
            ])
        #expect(status.lines[9].matches(" Process  promod [0-9.]+, pid \(pid), since \(shortTime), a moment ago"))
        #expect(
            status.lines[10...] == [
                "", "Give promod your catalog: promoctl setup https://example.com/catalog.json",
            ])
    }

    @Test func aFreshCatalogSaysWhenTheNextFetchIs() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin)
        let status = try PromoctlUnderTest(daemon).run("status")
        #expect(status.lines.first == "The catalog is fresh.")
        #expect(
            status.output.contains(" Catalog  5 apps, fetched ") && status.output.contains("  Origin  \(origin.url)\n"))
        #expect(
            status.output.range(
                of: "    Next  \(shortTime), in .+: before the catalog expires\n",
                options: .regularExpression) != nil, "\(status.output)")
        #expect(
            status.output.range(of: "    Last  \(shortTime), a moment ago, updated\n", options: .regularExpression)
                != nil)
        #expect(!status.output.contains("nothing stored"))
        let json = try PromoctlUnderTest(daemon).run("status", "--json")
        #expect(try json.json["pid"] as? Int == Int(daemon.process.pid))
        #expect(json.lines.count == 1)
    }

    @Test func aCatalogThatTheDiskRefusedIsNotSaidToBeStored() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin)
        let trap = String(try daemon.cachedFile.dropLast("catalog".count)) + ".catalog.new"
        try FileManager.default.createDirectory(atPath: trap, withIntermediateDirectories: false)
        try origin.publish(SampleFile.text + "\n")
        _ = try daemon.refresh()
        let cache = "   Cache  \(try daemon.cachedFile) (the served catalog is not in it)"
        let status = try PromoctlUnderTest(daemon).run("status")
        #expect(status.lines.contains(cache), "\(status)")
    }

    @Test func aFailureIsReportedWithWhatToDo() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest(environment: ["PROMOD_CATALOG_URL": origin.url])
        try daemon.waitForFirstAttempt()
        let status = try PromoctlUnderTest(daemon).run("status")
        #expect(status.code == 0)
        #expect(status.lines.first == "There is nothing to serve.")
        #expect(status.output.contains("   Error  tls: "))
        #expect(status.output.contains(": the last attempt failed\n"))
        #expect(
            status.lines.last
                == "What to do: check the origin's certificate and this machine's clock; "
                + "a private authority belongs in ca-file.")
    }

    @Test func anExpiredCatalogIsReportedWithItsAge() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin, environment: ["PROMOD_REFRESH_INTERVAL": "1s"])
        origin.stop()
        #expect(try comes { try daemon.ask(#"{"method":"list"}"#).state == "cached" })
        let status = try PromoctlUnderTest(daemon).run("status")
        #expect(status.lines.first == "The catalog is a moment old, and a refresh is due.")
    }

    @Test func aBrokenConfigurationIsReportedWithFileAndLine() throws {
        let scratch = try ScratchDirectory()
        let daemon = try DaemonUnderTest(in: scratch)
        let promoctl = PromoctlUnderTest(daemon)
        try scratch.write("config/promod/config.toml", "[refresh]\ninterval = 5\n")
        #expect(try promoctl.run("reload").code == 65)
        let status = try promoctl.run("status")
        #expect(status.lines.first?.hasPrefix("The configuration is broken; ") == true)
        #expect(status.output.contains("config.toml:2: refresh.interval"))
        #expect(status.lines.last == "Fix it, and then: promoctl reload")
    }

    @Test(arguments: [["status"], ["status", "--catalog", "default"]])
    func aBrokenFileOfACatalogIsReportedWithWhatIsServed(arguments: [String]) throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let file = "config/promod/catalogs.d/default.toml"
        try scratch.write(file, "url = \"\(origin.url)\"\nca-file = \"\(origin.caFile)\"\n")
        let daemon = try DaemonUnderTest(in: scratch, catalog: nil)
        #expect(try daemon.ask(#"{"method":"list","wait":true}"#).apps.count == 5)
        let promoctl = PromoctlUnderTest(daemon)
        try scratch.write(file, "url = \n")
        let reload = try promoctl.run("reload")
        #expect(reload.code == 1 && (reload.output + reload.error).contains("default.toml:1: "), "\(reload)")
        let status = try promoctl.run(arguments)
        let headline = "The configuration is broken; the cached catalog is served, and nothing is fetched."
        #expect(status.lines.first == headline, "\(status)")
        #expect(status.output.contains("default.toml:1: "))
    }

    @Test func afterARefusedReloadTheReportDoesNotSayThatNothingIsFetched() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin)
        let promoctl = PromoctlUnderTest(daemon)
        try daemon.scratch.write("config/promod/config.toml", "[review]\nmin-completions = \"many\"\n")
        #expect(try promoctl.run("reload").code == 65)
        #expect(try daemon.refresh().outcome == "unchanged")
        #expect(try !promoctl.run("status").output.contains("nothing is fetched"))
    }

    @Test(arguments: [60, 120])
    func onATerminalTheReportFits(columns: Int) throws {
        let daemon = try DaemonUnderTest()
        let drawn = try PromoctlUnderTest(daemon).draw(columns: columns, "status")
        let cache = try daemon.cachedFile
        // A path is one word.
        for (line, width) in zip(drawn.lines, try ReferenceWidth.columns(drawn.lines)) where !line.contains(cache) {
            #expect(width <= columns, "\(line)")
        }
        #expect(drawn.screen.others == [])
        #expect(drawn.text.hasPrefix("\u{1B}[33mThe sample catalog is served,"))
        #expect(drawn.text.contains("\u{1B}[36m  Origin\u{1B}[0m  none"))
    }

    @Test func aPartOfAnAddressThatNobodyShouldSeeIsNotShown() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest(environment: [
            "PROMOD_CATALOG_URL": "https://me:secret@localhost:\(origin.port)/catalog.json?token=hidden",
            "PROMOD_CATALOG_CA_FILE": origin.caFile,
        ])
        let promoctl = PromoctlUnderTest(daemon)
        let refresh = try promoctl.draw(columns: 80, "refresh")
        let status = try promoctl.run("status")
        for text in [refresh.text, status.output] {
            #expect(text.contains("https://localhost:\(origin.port)/catalog.json"))
            #expect(!text.contains("secret") && !text.contains("hidden"))
        }
    }

    @Test func theVersionsOfBothProgramsAreShown() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        #expect(try promoctl.run("--version").output.matches("promoctl [0-9.]+ \\(not built by packaging/build\\)\n"))
        #expect(
            try promoctl.run("status").output.contains(
                try promoctl.run("status", "--json").json["version"] as? String ?? "?"))
    }
}
