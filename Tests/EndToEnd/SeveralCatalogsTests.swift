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
        #expect(list.state == "loaded" && list.apps.count == 5)
        #expect(
            try comes {
                let catalogs = try catalogs(daemon)
                let failed = catalogs["dead"]?["refresh"] as? [String: Any]
                return (failed?["lastError"] as? [String: Any])?["code"] as? String == "connect"
            })
        #expect(try catalogs(daemon)["silent"]?["state"] as? String == "loading")
        #expect(try daemon.ask(#"{"method":"list"}"#).result["emptyBecause"] as? String == "not-configured")
        let table = try PromoctlUnderTest(daemon).run("catalogs")
        #expect(table.code == 0)
        #expect(table.lines.first?.hasPrefix("NAME     STATE     APPS  AGE") == true, "\(table.lines)")
        #expect(table.lines.contains { $0.hasPrefix("good     fresh     5") })
        #expect(table.lines.contains { $0.hasPrefix("silent   fetching  -") })
        #expect(table.lines.contains { $0.hasPrefix("dead     empty     -") })
        #expect(
            daemon.notify.wait(for: { $0.contains("dead none yet") }).contains {
                $0.contains("as the default; 3 catalogs: ")
            })
        #expect(daemon.logs("good: The catalog was updated: 5 apps"))
        #expect(daemon.stop() == .exited(0))
    }

    @Test func manyOriginsThatNeverAnswerDelayNoOther() throws {
        let (scratch, good, silent) = (try ScratchDirectory(), try NginxOrigin(), try SilentListener())
        for number in 0..<10 {
            try scratch.write(
                "data/promod/catalogs.d/silent-\(number).toml",
                "url = \"https://localhost:\(silent.port)/\(number).json\"\n")
        }
        try dropIn("zed", good, in: scratch)
        let daemon = try daemon(in: scratch)
        #expect(try daemon.ask(#"{"method":"list","catalog":"zed","wait":true}"#).apps.count == 5)
        #expect(try catalogs(daemon).values.filter { $0["state"] as? String == "loading" }.count == 10)
    }

    @Test func aPackageIsFoundAndIsForgottenWithoutAReload() throws {
        let (scratch, origin) = (try ScratchDirectory(), try NginxOrigin())
        let daemon = try daemon(in: scratch)
        let line = #"{"method":"list","catalog":"acme","wait":true}"#
        #expect(try daemon.ask(line).reason == "unknown-catalog")
        try dropIn("acme", origin, in: scratch)
        #expect(try comes { try daemon.ask(line).apps.count == 5 })
        #expect(try daemon.ask(#"{"method":"list","catalog":"\#(origin.url)"}"#).apps.count == 5)
        try FileManager.default.removeItem(atPath: scratch("data/promod/catalogs.d/acme.toml"))
        #expect(try comes { try daemon.ask(line).reason == "unknown-catalog" })
        #expect(scratch.read("cache/promod/catalogs/acme/unconfigured") != "")
    }

    @Test func nobodyCanHaveAnAddressFetchedThatIsNotConfigured() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest()
        for method in ["list", "refresh", "clear", "subscribe"] {
            #expect(
                try daemon.ask(#"{"method":"\#(method)","catalog":"\#(origin.url)"}"#).reason == "unknown-catalog",
                "\(method)")
        }
        #expect(origin.log.isEmpty)
    }

    @Test func aBadDropInTakesNothingAwayButItself() throws {
        let (scratch, origin) = (try ScratchDirectory(), try NginxOrigin())
        try dropIn("good", origin, in: scratch)
        try scratch.write("data/promod/catalogs.d/bad.toml", "url = \"https://\"\n")
        try scratch.write("data/promod/catalogs.d/Upper.toml", "")
        let daemon = try daemon(in: scratch)
        #expect(try daemon.ask(#"{"method":"list","catalog":"good","wait":true}"#).apps.count == 5)
        #expect(
            (try catalogs(daemon)["bad"]?["error"] as? String)?.contains("bad.toml:1: url takes an https address")
                == true)
        #expect(try daemon.ask(#"{"method":"refresh","catalog":"bad"}"#).reason == "no-origin")
        let table = try PromoctlUnderTest(daemon).run("catalogs")
        #expect(
            table.lines.contains { $0.contains("bad      broken") } && table.output.contains("Upper.toml"),
            "\(table.lines)")
        for part in ["bad.toml:1", "Upper.toml is ignored"] {
            #expect(daemon.logs(part))
        }
    }

    @Test func eventsNameTheirCatalogAndCanBeSelectedByIt() throws {
        let (scratch, origin) = (try ScratchDirectory(), try NginxOrigin())
        try dropIn("acme", origin, in: scratch)
        let daemon = try daemon(in: scratch)
        #expect(try daemon.ask(#"{"method":"list","catalog":"acme","wait":true}"#).apps.count == 5)
        let client = try daemon.connect()
        client.send(#"{"method":"subscribe","catalog":"acme","events":["tap"]}\#n"#)
        #expect(client.readLines(1).first?.contains("subscribed") == true)
        _ = try daemon.ask(#"{"method":"tap","app":"bookary"}"#)
        _ = try daemon.ask(#"{"method":"tap","app":"stedio","catalog":"acme"}"#)
        let event = client.readLines(1).first ?? ""
        #expect(event.contains(#""event":"tap","catalog":"acme","app":"stedio""#))
    }

    @Test func setupWritesADropInAndItsUndoingRemovesIt() throws {
        let (origin, daemon) = (try NginxOrigin(), try DaemonUnderTest())
        let promoctl = PromoctlUnderTest(daemon)
        let setup = try promoctl.run("setup", origin.url, "--ca-file", origin.caFile, "--catalog", "acme")
        let file = daemon.scratch("config/promod/catalogs.d/acme.toml")
        #expect(setup.code == 0 && setup.error == "\(origin.url): good, 5 apps\nWrote \(file)\n", "\(setup.error)")
        #expect(origin.log.count == 2, "setup asks once, and the daemon once: \(origin.log)")
        #expect(try promoctl.run("list", "--catalog", "acme").lines.count == 5)
        #expect(try promoctl.run("list", "--catalog", origin.url).lines.count == 5)
        #expect(
            try promoctl.run("list", "--catalog", "default").error == PromoctlListTests.sampleNote, "it is as before")
        for command in [["refresh"], ["status"], ["tap", "finebill"]] {
            let ran = try promoctl.run(command + ["--catalog", "acme"])
            #expect(ran.code == 0, "\(command): \(ran.error)")
        }
        let misspelt = try promoctl.run("list", "--catalog", "acmee")
        #expect(misspelt.code == 65 && misspelt.error.contains("Did you mean \"acme\"?"), "\(misspelt.error)")
        let remove = try promoctl.run("setup", "--remove", "--catalog", "acme")
        #expect(
            remove.code == 0 && remove.output == "promod does not keep the catalog acme any more.\n", "\(remove.error)")
        #expect(remove.error == "Removed \(file)\n" && !FileManager.default.fileExists(atPath: file))
        #expect(try promoctl.run("setup", "--remove", "--catalog", "acme").error == "There is no file \(file)\n")
        #expect(try promoctl.run("list", "--catalog", "acme").code == 65)
    }

    @Test func advicesAreAboutTheCatalogThatWasAskedFor() throws {
        let (scratch, origin) = (try ScratchDirectory(), try NginxOrigin())
        try dropIn("acme", origin, in: scratch)
        let promoctl = PromoctlUnderTest(try daemon(in: scratch))
        #expect(try promoctl.run("wait", "--catalog", "acme").code == 0)
        #expect(try promoctl.run("clear", "--yes", "--catalog", "acme").output.contains("promoctl wait --catalog acme"))
        #expect(try promoctl.run("status", "--catalog", "none", "--json").code == 65)
    }

    @Test func setupDoesNotRemoveWhatHides() throws {
        let (scratch, origin) = (try ScratchDirectory(), try NginxOrigin())
        try dropIn("acme", origin, in: scratch)
        try scratch.write("config/promod/catalogs.d/acme.toml", "")
        let promoctl = PromoctlUnderTest(try daemon(in: scratch))
        let remove = try promoctl.run("setup", "--remove", "--catalog", "acme")
        #expect(remove.code == 65 && remove.error.contains("hides the catalog"), "\(remove.error)")
        #expect(FileManager.default.fileExists(atPath: scratch("config/promod/catalogs.d/acme.toml")))
    }

    @Test func theConfigurationIsPrintedWithAllCatalogsAndTheirFiles() throws {
        let (scratch, origin) = (try ScratchDirectory(), try NginxOrigin())
        try dropIn("acme", origin, in: scratch)
        try scratch.write("data/promod/catalogs.d/bad.toml", "x = 1\n")
        try scratch.write(
            "config/promod/config.toml", "[catalogs.table]\nurl = \"https://table.example/c.json\"\nmax-bytes = 9999\n")
        let (end, output, _) = try ChildProcess.run(
            [DaemonUnderTest.binary, "--print-configuration"],
            environment: DaemonUnderTest.environment(in: scratch))
        #expect(end == .exited(0))
        for part in [
            "catalogs.acme.url = \"\(origin.url)\"  # \(scratch("data/promod/catalogs.d/acme.toml")):1\n",
            "catalogs.table.max-bytes = 9999  # \(scratch("config/promod/config.toml")):3\n",
            "# catalogs.bad is not fetched: ",
        ] {
            #expect(output.contains(part), "\(output)")
        }
    }

    @Test func aCatalogOfAPackageIsHiddenAndComesBack() throws {
        let (acme, scratch) = (try NginxOrigin(), try ScratchDirectory())
        try dropIn("acme", acme, in: scratch)
        let daemon = try daemon(in: scratch)
        let promoctl = PromoctlUnderTest(daemon)
        let file = scratch("config/promod/catalogs.d/acme.toml")
        #expect(try catalogs(daemon)["acme"] != nil)
        let hidden = try promoctl.run("setup", "--hide", "--catalog", "acme")
        #expect(hidden.code == 0 && hidden.error == "Wrote \(file)\n", "\(hidden.error)")
        #expect(hidden.output.contains("\"promoctl setup --unhide --catalog acme\" has it back"))
        #expect(try catalogs(daemon)["acme"] == nil)
        #expect(try promoctl.run("setup", "--hide", "--catalog", "acme").error == "Nothing to change in \(file)\n")
        #expect(
            try promoctl.run("setup", "--remove", "--catalog", "acme").error.contains("setup --unhide --catalog acme"))
        let back = try promoctl.run("setup", "--unhide", "--catalog", "acme")
        #expect(back.code == 0 && back.error == "Removed \(file)\n")
        #expect(back.output == "promod keeps the catalog acme again.\n")
        #expect(try catalogs(daemon)["acme"] != nil)
        #expect(try promoctl.run("setup", "--undo", "--catalog", "acme").code == 0)
        #expect(try catalogs(daemon)["acme"] == nil, "it is hidden again")
        #expect(try promoctl.run("setup", "--undo", "--catalog", "acme").code == 0)
        #expect(try catalogs(daemon)["acme"] != nil)
        #expect(try promoctl.run("setup", "--unhide", "--catalog", "acme").error == "Nothing to change in \(file)\n")
        try scratch.write("config/promod/catalogs.d/acme.toml", "url = \"\(acme.url)\"\n")
        let own = try promoctl.run("setup", "--hide", "--catalog", "acme")
        #expect(own.code == 65 && own.error.contains("configures the catalog itself"), "\(own.error)")
        for wrong in [["--hide"], ["--hide", "--unhide", "--catalog", "acme"], ["--hide", "--catalog", "default"]] {
            #expect(try promoctl.run(["setup"] + wrong).code == 64)
        }
    }

    @Test func withoutAnAddressTheListsOfAllPackagesAreShown() throws {
        let (acme, zed, scratch) = (try NginxOrigin(), try NginxOrigin(), try ScratchDirectory())
        try dropIn("acme", acme, in: scratch)
        try dropIn("zed", zed, in: scratch)
        let daemon = try daemon(in: scratch)
        let promoctl = PromoctlUnderTest(daemon)
        for name in ["acme", "zed"] { #expect(try promoctl.run("wait", "--catalog", name).code == 0) }
        for arguments in [["list"], ["list", "--all"]] {
            let lists = try promoctl.run(arguments)
            #expect(lists.code == 0 && lists.error == "", "\(lists.error)")
            let lines = lists.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count == 14 && lines[0] == "acme:" && lines[6] == "" && lines[7] == "zed:", "\(lists.output)")
        }
        let json = try promoctl.run("list", "--all", "--json", "--limit", "2").json
        let catalogs = json["catalogs"] as? [[String: Any]] ?? []
        #expect(catalogs.map { $0["name"] as? String } == ["acme", "zed"])
        #expect(((catalogs.first?["list"] as? [String: Any])?["apps"] as? [Any])?.count == 2)
        #expect(try promoctl.run("list", "--json").json["source"] as? String == "none", "a script's list stays")
        for command in ["doctor", "status", "catalogs", "list"] {
            let ran = try promoctl.run(command)
            #expect(!(ran.output + ran.error).contains("--sample"), "\(ran.output)\(ran.error)")
        }
        #expect(try promoctl.run("check").code == 0)
        for wrong in [["--catalog", "acme"], ["--impressions"]] {
            #expect(try promoctl.run(["list", "--all"] + wrong).code == 64)
        }
    }
}
