import Foundation
import PromoTestSupport
import Testing

/// `promoctl setup`, against nginx over TLS.
struct PromoctlSetupTests {
    private static let file = "config/promod/config.toml"

    private func setup(
        _ promoctl: PromoctlUnderTest, _ origin: NginxOrigin, _ more: String...
    ) throws -> Ran {
        try promoctl.run(["setup", origin.url, "--ca-file", origin.caFile] + more)
    }

    @Test func anAddressIsCheckedWrittenAndPutIntoForceAndTheListIsShown() throws {
        let origin = try NginxOrigin()
        try origin.publish(SampleFile.renamed)
        let daemon = try DaemonUnderTest()
        let promoctl = PromoctlUnderTest(daemon)
        #expect(try promoctl.run("list").error == PromoctlListTests.sampleNote)
        let setup = try setup(promoctl, origin)
        #expect(setup.code == 0)
        #expect(setup.lines.count == 5)
        #expect(setup.lines.first == "[FB] FineBill Pro  Finance       Every bill, paid on time")
        let file = daemon.scratch(Self.file)
        #expect(setup.error == "\(origin.url): good, 5 apps\nWrote \(file)\n")
        #expect(
            origin.log.count == 2, "setup asks once, and the daemon once: \(origin.log)")
        let text = daemon.scratch.read(Self.file)
        #expect(text.contains("[catalog]\n"))
        #expect(text.contains("url = \"\(origin.url)\"\n"))
        #expect(text.contains("ca-file = \"\(origin.caFile)\"\n"))
        #expect(try promoctl.run("list").error == "")
        #expect(try promoctl.run("status").lines.first == "The catalog is fresh.")
        #expect(daemon.stop() == .exited(0))
        let later = PromoctlUnderTest(try DaemonUnderTest(in: daemon.scratch))
        #expect(try later.run("list").output.contains("FineBill Pro"))
    }

    @Test(.enabled(if: DaemonUnderTest.canMount, "there are no mount namespaces"))
    func certificatesThatTheServiceCannotReadAreRefused() throws {
        let (origin, scratch) = (try NginxOrigin(), try ScratchDirectory())
        let certificates = try String(contentsOfFile: origin.caFile, encoding: .utf8)
        try scratch.write("hidden/ca.pem", certificates)
        try scratch.write("seen/ca.pem", certificates)
        let daemon = try DaemonUnderTest(
            in: scratch, launcher: DaemonUnderTest.mounting("mount -t tmpfs none \(scratch("hidden"))"))
        let promoctl = PromoctlUnderTest(daemon)
        let setup = try promoctl.run("setup", origin.url, "--ca-file", scratch("hidden/ca.pem"))
        #expect(setup.code == 65)
        #expect(setup.error.contains("cannot be read: ") && setup.error.contains("/var/tmp"), "\(setup.error)")
        #expect(scratch.read(Self.file).isEmpty && origin.log.isEmpty, "nothing was fetched or written")
        #expect(try promoctl.run("setup", origin.url, "--ca-file", scratch("seen/ca.pem")).code == 0)
    }

    @Test func onATerminalTheListStandsBelowWhatWasDone() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest()
        let drawn = try PromoctlUnderTest(daemon).draw(
            columns: 60, "setup", origin.url, "--ca-file", origin.caFile)
        #expect(drawn.code == 0)
        #expect(drawn.screen.others == [])
        #expect(
            drawn.lines.suffix(5).first == " FB  FineBill  Finance       Every bill, paid on time", "\(drawn.lines)")
        let above = drawn.lines.dropLast(5).joined(separator: "\n").replacing("\n  ", with: " ")
        #expect(above == "\(origin.url): good, 5 apps\nWrote \(daemon.scratch(Self.file))")
    }

    @Test func theResultOnOneLineIsTheList() throws {
        let origin = try NginxOrigin()
        let setup = try setup(PromoctlUnderTest(try DaemonUnderTest()), origin, "--json")
        #expect(setup.code == 0)
        #expect(try setup.json["source"] as? String == "origin")
        #expect(try (setup.json["apps"] as? [Any])?.count == 5)
    }

    @Test func theSameAgainChangesNothing() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest()
        let promoctl = PromoctlUnderTest(daemon)
        #expect(try setup(promoctl, origin).code == 0)
        let text = daemon.scratch.read(Self.file)
        #expect(try setup(promoctl, origin).code == 0)
        #expect(daemon.scratch.read(Self.file) == text)
    }

    // MARK: The file

    @Test(arguments: [
        ("", "# promod's configuration"),
        (
            "# mine\n\n[review]\nmin-completions = 5 # five\n",
            "# mine\n\n[review]\nmin-completions = 5 # five\n"
        ),
        ("[catalog]\nmax-bytes = 100000 # small\n", "max-bytes = 100000 # small\n"),
        (
            "catalog.max-bytes = 100000\n\n[log]\nlevel = \"debug\"\n",
            "catalog.max-bytes = 100000\n\n[log]\nlevel = \"debug\"\n"
        ),
        (
            "# a\n[catalog] # b\nurl = \"https://example.com/old.json\" # c\n# d\n[log]\nlevel = 'debug'\n",
            "# d\n[log]\nlevel = 'debug'\n"
        ),
    ])
    func whateverElseStandsInTheFileStays(before: String, kept: String) throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        // Started before the file is written: it must not fetch from a catalog.url in it.
        let daemon = try DaemonUnderTest(in: scratch)
        if !before.isEmpty {
            try scratch.write(Self.file, before)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: scratch(Self.file))
        }
        let promoctl = PromoctlUnderTest(daemon)
        let setup = try setup(promoctl, origin)
        #expect(setup.code == 0, "\(setup.error)")
        let after = scratch.read(Self.file)
        #expect(after.contains(kept), "\(after)")
        #expect(after.components(separatedBy: origin.url).count == 2)
        #expect(!after.contains("old.json"))
        if before.contains("# c") { #expect(after.contains("url = \"\(origin.url)\" # c\n")) }
        for comment in ["# a\n", "[catalog] # b\n"] where before.contains(comment) {
            #expect(after.contains(comment))
        }
        let mode = try FileManager.default.attributesOfItem(atPath: scratch(Self.file))[.posixPermissions] as? Int
        #expect(mode == (before.isEmpty ? 0o600 : 0o640))
        #expect(try promoctl.run("list").lines.count == 5)
    }

    @Test func aSymbolicLinkStaysOneAndTheFileBehindItIsWritten() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        try scratch.write("dotfiles/promod.toml", "# kept in a repository\n")
        try scratch.write("config/promod/other", "")
        try FileManager.default.createSymbolicLink(
            atPath: scratch(Self.file), withDestinationPath: "../../dotfiles/promod.toml")
        let setup = try setup(PromoctlUnderTest(try DaemonUnderTest(in: scratch)), origin)
        #expect(setup.code == 0)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: scratch(Self.file))
                == "../../dotfiles/promod.toml")
        let text = scratch.read("dotfiles/promod.toml")
        #expect(text.hasPrefix("# kept in a repository\n"))
        #expect(text.contains(origin.url))
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch("dotfiles"))
        #expect(left.sorted() == ["promod.toml", "promod.toml.previous"])
    }

    // MARK: What changes nothing

    /// Expects that a setup fails and changes nothing for a daemon that has a configuration.
    private func expectNoChange(
        by arguments: [String], code: Int32, saying words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let scratch = try ScratchDirectory()
        let text = "# mine\n[review]\nmin-completions = 5\n"
        try scratch.write(Self.file, text)
        let daemon = try DaemonUnderTest(in: scratch)
        let promoctl = PromoctlUnderTest(daemon)
        for more in [[], ["--json"]] {
            let setup = try promoctl.run(["setup"] + arguments + more)
            #expect(setup.code == code, "\(setup.error)", sourceLocation: sourceLocation)
            #expect(setup.output == "", sourceLocation: sourceLocation)
            if more.isEmpty {
                #expect(setup.error.contains(words), "\(setup.error)", sourceLocation: sourceLocation)
            } else {
                #expect(try PromoctlError(setup.error).reason != "", sourceLocation: sourceLocation)
            }
        }
        #expect(scratch.read(Self.file) == text, sourceLocation: sourceLocation)
        #expect(try daemon.status("queries", "reload") == 0, sourceLocation: sourceLocation)
        #expect(try promoctl.run("list").error == PromoctlListTests.sampleNote, sourceLocation: sourceLocation)
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch("config/promod"))
        #expect(left == ["config.toml"], sourceLocation: sourceLocation)
    }

    @Test(arguments: ["https://", "ftp://example.com", "", "/tmp/x", "catalog"])
    func aTextThatIsNoAddressIsWrongUsage(text: String) throws {
        try expectNoChange(by: [text], code: 64, saying: "not an https URL with a host")
    }

    @Test(arguments: [
        ("localhost/c.json", "https://localhost/c.json"), ("localhost:8443/", "https://localhost:8443/"),
        ("example.com", "https://example.com/"), ("http://example.com/c.json", "https://example.com/c.json"),
    ])
    func anAddressWithoutHttpsIsOfferedWithIt(text: String, meant: String) throws {
        try expectNoChange(by: [text], code: 64, saying: "Did you mean \(meant)?")
    }

    @Test func anAddressWithoutACatalogChangesNothing() throws {
        let origin = try NginxOrigin()
        let missing = "https://localhost:\(origin.port)/missing.json"
        try expectNoChange(by: [missing, "--ca-file", origin.caFile], code: 65, saying: "\(missing) answers 404")
        let setup = try PromoctlUnderTest(try DaemonUnderTest()).run("setup", missing, "--ca-file", origin.caFile)
        #expect(setup.error.components(separatedBy: missing).count == 2, "the address is named once: \(setup.error)")
    }

    @Test func anAddressThatCannotBeReachedOrTrustedChangesNothing() throws {
        let origin = try NginxOrigin()
        let cause = "localhost:\(origin.port) is not trusted: it was issued by \"promod test CA\", and the server"
        try expectNoChange(by: [origin.url], code: 65, saying: cause)
        try expectNoChange(by: [origin.url], code: 65, saying: "setup --ca-file")
        let port = try LoopbackPort()
        defer { withExtendedLifetime(port) {} }
        let nobody = "https://localhost:\(port.number)/"
        try expectNoChange(by: [nobody], code: 75, saying: "Connection refused")
        try expectNoChange(by: ["https://no-such-host.invalid/c.json"], code: 75, saying: "no-such-host.invalid")
        try expectNoChange(by: [origin.url, "--ca-file", "/nowhere.pem"], code: 65, saying: "/nowhere.pem")
    }

    @Test func aBrokenCatalogChangesNothingAndEveryFindingIsListed() throws {
        let origin = try NginxOrigin()
        let trusted = [origin.url, "--ca-file", origin.caFile]
        try origin.publish(#"{"apps":[]}"#)
        try expectNoChange(by: trusted, code: 65, saying: "/apps")
        try origin.publish("<html>Sign in to the Wi-Fi</html>")
        try expectNoChange(by: trusted, code: 65, saying: "an HTML page")
        try origin.publish(
            SampleFile.text.replacingOccurrences(of: "\"littory\": []", with: "\"littory\": [\"ghost\", \"wraith\"]"))
        try expectNoChange(
            by: trusted, code: 65, saying: "  56:17: /promoRules/littory/0: No app has the id \"ghost\".")
        try expectNoChange(by: trusted, code: 65, saying: "/promoRules/littory/1: No app has the id \"wraith\".")
    }

    @Test func warningsAreListedAndTheCatalogIsSetUp() throws {
        let origin = try NginxOrigin()
        try origin.publish(SampleFile.text.replacingOccurrences(of: "\"littory\": []", with: "\"litory\": []"))
        let setup = try setup(PromoctlUnderTest(try DaemonUnderTest()), origin)
        #expect(setup.code == 0)
        #expect(setup.lines.count == 5)
        #expect(setup.error.contains("\n  56:5: warning: /promoRules/litory: "), "\(setup.error)")
        #expect(setup.error.contains("Did you mean \"littory\"?"))
    }

    @Test func anotherHostsCertificateIsNamedAsTheCause() throws {
        let origin = try NginxOrigin(names: "DNS:elsewhere.example")
        try expectNoChange(by: [origin.url, "--ca-file", origin.caFile], code: 65, saying: "names another host")
    }

    // MARK: Which file

    @Test func setupWritesTheFileThatTheDaemonReads() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest()
        let promoctl = PromoctlUnderTest(daemon).with(["XDG_CONFIG_HOME": daemon.scratch("elsewhere")])
        let setup = try setup(promoctl, origin)
        #expect(setup.code == 0, "\(setup.error)")
        #expect(daemon.scratch.read(Self.file).contains(origin.url))
        #expect(daemon.scratch.read("elsewhere/promod/config.toml") == "")
    }

    // MARK: Removal

    @Test func whatWasSetUpIsRemovedAndTheRestOfTheFileStays() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let text = "# mine\n[review]\nmin-completions = 5\n"
        try scratch.write(Self.file, text)
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(in: scratch, catalog: nil))
        #expect(try setup(promoctl, origin).code == 0)
        let removed = try promoctl.run("setup", "--remove")
        #expect((removed.code, removed.output.hasPrefix("No catalog is configured.")) == (0, true))
        #expect(removed.error == "Removed it from \(scratch(Self.file))\n")
        #expect(scratch.read(Self.file) == text)
        #expect(try promoctl.run("list").error.hasPrefix("promoctl: No catalog is configured."))
        let again = try promoctl.run("setup", "--remove")
        #expect(again.code == 0)
        #expect(again.error.contains("no address of the catalog") && again.error.contains(scratch(Self.file)))
    }

    @Test func anAddressThatIsSetElsewhereTooCannotBeRemoved() throws {
        let origin = try NginxOrigin()
        let removed = try PromoctlUnderTest(try DaemonUnderTest.keeping(origin)).run("setup", "--remove")
        #expect((removed.code, removed.output) == (65, ""))
        #expect(removed.error.contains("promod keeps \(origin.url): it was started with another configuration"))
    }

    // MARK: Second thoughts

    @Test func anAddressThatReplacesAnotherNamesItAndIsUndoneAndRedone() throws {
        let (old, new) = (try NginxOrigin(), try NginxOrigin())
        try new.publish(SampleFile.renamed)
        let daemon = try DaemonUnderTest()
        let (scratch, promoctl) = (daemon.scratch, PromoctlUnderTest(daemon))
        #expect(try setup(promoctl, old).code == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: scratch(Self.file))
        let before = scratch.read(Self.file)
        let replaced = try setup(promoctl, new)
        let words = "Replaced \(old.url) in \(scratch(Self.file)); promoctl setup --undo brings it back. "
        #expect(replaced.error.contains(words) && replaced.error.contains("catalog.formerly"), "\(replaced.error)")
        let after = scratch.read(Self.file)
        #expect(scratch.read(Self.file + ".previous") == before)
        let again = [(before, "FineBill ", old), (after, "FineBill Pro ", new), (before, "FineBill ", old)]
        for (text, name, origin) in again {
            let undone = try promoctl.run("setup", "--undo")
            #expect(undone.code == 0 && undone.output.contains(name) && undone.lines.count == 5, "\(undone.error)")
            let words = "\(scratch(Self.file)) has \(origin.url) now; another promoctl setup --undo takes that back.\n"
            #expect(undone.error.hasPrefix(words), "\(undone.error)")
            #expect(scratch.read(Self.file) == text)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: scratch(Self.file))[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test func aFileThatASetupCreatedIsTakenAwayAndComesBack() throws {
        let (origin, daemon) = (try NginxOrigin(), try DaemonUnderTest(catalog: nil))
        let (scratch, promoctl) = (daemon.scratch, PromoctlUnderTest(daemon))
        for (file, more) in [(Self.file, []), ("config/promod/catalogs.d/acme.toml", ["--catalog", "acme"])] {
            let nothing = try promoctl.run(["setup", "--undo"] + more)
            #expect((nothing.code, nothing.output) == (1, ""))
            #expect(nothing.error.contains("There is nothing to undo"))
            #expect(
                try PromoctlError(promoctl.run(["setup", "--undo", "--json"] + more).error).reason == "nothing-to-undo")
            #expect(try promoctl.run(["setup", origin.url, "--ca-file", origin.caFile] + more).code == 0)
            let text = scratch.read(file)
            for _ in 0..<2 {
                let undone = try promoctl.run(["setup", "--undo"] + more)
                #expect(undone.code == 0 && undone.error.hasPrefix("\(scratch(file)) has no address now; "))
                #expect(!FileManager.default.fileExists(atPath: scratch(file)))
                #expect(try promoctl.run(["setup", "--undo"] + more).lines.count == 5)
                #expect(scratch.read(file) == text)
            }
        }
    }

    @Test(arguments: [["--remove"], ["--sample"], ["--remove", "--catalog", "acme"]])
    func whatElseChangesAFileIsUndoneToo(change: [String]) throws {
        let (origin, daemon) = (try NginxOrigin(), try DaemonUnderTest(catalog: nil))
        let promoctl = PromoctlUnderTest(daemon)
        let catalog = Array(change.dropFirst())
        #expect(try promoctl.run(["setup", origin.url, "--ca-file", origin.caFile] + catalog).code == 0)
        #expect(try promoctl.run(["setup"] + change).code == 0)
        let undone = try promoctl.run(["setup", "--undo"] + catalog)
        #expect(undone.code == 0 && undone.lines.count == 5, "\(undone.error)")
        #expect(try promoctl.run(["list"] + catalog).error == "")
    }

    // MARK: Whose promod

    @Test func withoutASessionASetupNeedsYesAndSaysWhatItWouldConfigure() throws {
        let scratch = try ScratchDirectory()
        let promoctl = PromoctlUnderTest(in: scratch).without("XDG_RUNTIME_DIR")
            .with(["PROMOD_SOCKET": scratch("nobody.sock")])
        let setup = try promoctl.run("setup", "--sample")
        #expect((setup.code, setup.output) == (64, ""))
        for part in [
            "'s own promod", scratch(Self.file), "/etc/xdg/promod/config.toml", "--yes", "Nothing was changed.",
        ] {
            #expect(setup.error.contains(part), "\(setup.error)")
        }
        #expect(scratch.read(Self.file) == "")
        let terminal = try Pseudoterminal(columns: 100)
        let child = try terminal.start(
            [PromoctlUnderTest.binary, "setup", "--sample"], environment: promoctl.environment)
        terminal.write("n\n")
        #expect(terminal.read().contains("Go on? [y/N]"))
        #expect(child.wait() == .exited(1))
        #expect(try promoctl.run("setup", "--sample", "--yes").code == 69)
        #expect(scratch.read(Self.file).contains("sample"))
    }

    // MARK: What is written with an address

    @Test func aProxyIsUsedForTheCheckAndWritten() throws {
        let (origin, daemon) = (try NginxOrigin(), try DaemonUnderTest())
        let (scratch, promoctl) = (daemon.scratch, PromoctlUnderTest(daemon))
        let unreachable = try setup(promoctl, origin, "--proxy", "http://127.0.0.1:1")
        #expect(unreachable.code == 75 && unreachable.error.contains("The proxy http://127.0.0.1:1"))
        #expect(scratch.read(Self.file) == "")
        #expect(try setup(promoctl, origin, "--proxy", "direct").code == 0)
        #expect(scratch.read(Self.file).contains("proxy = \"direct\"\n"))
        let named = try setup(promoctl, origin, "--proxy", "direct", "--catalog", "acme")
        #expect(named.code == 64 && named.error.contains("only config.toml has it"), "\(named.error)")
        let ran = try promoctl.run(["setup", origin.url, "--json", "--proxy", "x"])
        #expect(try ran.code == 64 && PromoctlError(ran.error).reason == "usage")
        #expect(try promoctl.run("setup", "--remove").error.hasPrefix("Removed it from \(scratch(Self.file))\n"))
    }

    // MARK: The program that does the work

    @Test func theAddressIsNoArgumentOfAnyProgramAndAKilledSetupLeavesNothingRunning() throws {
        let scratch = try ScratchDirectory()
        let silent = try SilentListener()
        let child = try PromoctlUnderTest(try DaemonUnderTest(in: scratch)).start([
            "setup", "--yes", "https://ana:hunter2@127.0.0.1:\(silent.port)/",
        ])
        var arguments = ""
        // Between fork and exec the child still has promoctl's arguments, and it asks for its death signal only after exec.
        #expect(
            comes {
                guard let helper = Self.child(of: child.pid) else { return false }
                arguments = (try? String(contentsOfFile: "/proc/\(helper)/cmdline", encoding: .utf8)) ?? ""
                return arguments.contains("configure") && silent.isConnected
            })
        let helper = try #require(Self.child(of: child.pid))
        #expect(!arguments.contains("hunter2"))
        child.signal(SIGKILL)
        #expect(child.wait() == .signalled(SIGKILL))
        #expect(comes { kill(helper, 0) != 0 })
    }

    private static func child(of pid: pid_t) -> pid_t? {
        let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
        return text?.split(separator: " ").first.flatMap { pid_t($0) }
    }

    // MARK: The sample

    @Test func aSampleIsPrintedAndNothingIsSetUp() throws {
        let scratch = try ScratchDirectory()
        let promoctl = PromoctlUnderTest(in: scratch)
        let sample = try promoctl.run("setup", "--print-sample")
        #expect((sample.code, sample.error) == (0, ""))
        #expect(sample.output == SampleFile.text)
        #expect(scratch.read(Self.file) == "")
        try scratch.write("catalog.json", sample.output)
        #expect(try promoctl.run("validate", "--strict", scratch("catalog.json")).code == 0)
    }

    @Test func theSampleIsServedUntilItIsRemoved() throws {
        let scratch = try ScratchDirectory()
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(in: scratch, catalog: nil))
        let setup = try promoctl.run("setup", "--sample")
        #expect(setup.code == 0 && setup.lines.count == 5)
        #expect(setup.error == "Wrote \(scratch(Self.file))\n" + PromoctlListTests.sampleNote)
        #expect(scratch.read(Self.file).hasSuffix("[catalog]\nurl = \"sample\"\n"))
        #expect(try promoctl.run("setup", "--sample").error.hasPrefix("\(scratch(Self.file)) has the sample already\n"))
        #expect(try promoctl.run("tap", "bookary").output == "https://example.com/?app=bookary\n")
        let icons = try promoctl.run("call", "list", #"{"icons":true,"wait":true}"#).output
        #expect(icons.components(separatedBy: "\"iconPath\":\"/").count == 6, "\(icons)")
        #expect(try promoctl.run("page").output.contains("A sample: these apps are made up."))
        #expect(try promoctl.run("setup", "--remove").code == 0)
        #expect(try promoctl.run("list", "--json").json["emptyBecause"] as? String == "not-configured")
    }

    @Test(arguments: ["status", "catalogs", "list", "page", "check", "doctor", "tap bookary"])
    func withoutACatalogTheFirstWordsAreHowToBegin(command: String) throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(catalog: nil))
        let ran = try promoctl.run(command.split(separator: " ").map(String.init))
        let words = ran.output + ran.error
        #expect(
            words.prefix(130).contains("No catalog is configured. Begin with \"promoctl setup https://…\""), "\(words)")
        #expect(words.components(separatedBy: "Begin with").count == 2, "\(words)")
        let codes: [String: Int32] = ["list": 1, "page": 1, "check": 1, "tap bookary": 65]
        #expect(ran.code == codes[command] ?? 0)
    }

    @Test(arguments: [
        ["setup"], ["setup", "--sample", "https://example.com/"], ["setup", "--sample", "--ca-file", "x"],
    ])
    func eitherAnAddressOrSampleIsRequired(arguments: [String]) throws {
        let setup = try PromoctlUnderTest(in: try ScratchDirectory()).run(arguments)
        #expect((setup.code, setup.output) == (64, ""))
        #expect(setup.error.contains("--sample"))
    }

    @Test func aSampleThatCannotBeWrittenIsAnError() throws {
        let ran = try PromoctlUnderTest(in: try ScratchDirectory()).shell("promoctl setup --print-sample >/dev/full")
        #expect(ran.code == 74)
        #expect(ran.error.contains("cannot be written"))
    }

    // MARK: Files that are no configuration

    @Test func aFileThatIsNoConfigurationIsLeftAsItIs() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let daemon = try DaemonUnderTest(in: scratch)
        for text in ["[catalog\nurl = 5\n", "[catalog]\nuri = \"https://example.com\"\n"] {
            try scratch.write(Self.file, text)
            let setup = try setup(PromoctlUnderTest(daemon), origin)
            #expect(setup.output == "")
            #expect(setup.error.contains("config.toml:"))
            #expect([1, 65, 69, 75].contains(setup.code), "\(setup.code) is no documented code")
            #expect(scratch.read(Self.file) == text)
        }
    }

    @Test func aFileThatPromodCannotEditIsLeftAsItIs() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let daemon = try DaemonUnderTest(in: scratch)
        let text = "[catalog]\nformerly = [\n  \"\(origin.url)\",\n]\n"
        try scratch.write(Self.file, text)
        let setup = try PromoctlUnderTest(daemon).run("setup", "--remove")
        #expect((setup.code, setup.output) == (65, ""))
        #expect(setup.error.contains("cannot edit the file"))
        #expect(scratch.read(Self.file) == text)
    }

    // MARK: Daemons that do not use the new address

    @Test func aDaemonThatWasStartedWithAnotherAddressIsReported() throws {
        let (kept, wanted) = (try NginxOrigin(), try NginxOrigin())
        let daemon = try DaemonUnderTest.keeping(kept)
        let setup = try setup(PromoctlUnderTest(daemon), wanted)
        #expect((setup.code, setup.output) == (65, ""))
        #expect(setup.error.contains("promoctl: The configuration is written, but promod keeps \(kept.url)"))
        #expect(daemon.scratch.read(Self.file).contains(wanted.url))
    }

    @Test func withoutADaemonTheFileIsWrittenAndTheMessageSaysHowToGoOn() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let setup = try setup(PromoctlUnderTest(in: scratch), origin, "--yes")
        #expect((setup.code, setup.output) == (69, ""))
        #expect(setup.error.contains("promoctl: The configuration is written, but"))
        #expect(setup.error.contains("systemctl --user restart promod.socket"))
        #expect(scratch.read(Self.file).contains(origin.url))
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(in: scratch))
        #expect(try promoctl.run("wait").code == 0)
        #expect(try promoctl.run("list").error == "")
    }

    @Test func aSetupEndsIfTheDaemonNeverAnswers() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let listener = try ScriptedListener(at: scratch("silent.sock"), .silence)
        let child = try PromoctlUnderTest(in: scratch).start([
            "setup", origin.url, "--ca-file", origin.caFile, "--socket", scratch("silent.sock"),
        ])
        #expect(child.wait() == .exited(69))
        #expect(child.standardOutput == "")
        #expect(child.standardError.contains("did not answer on "))
        #expect(listener.count == 1)
    }

    @Test func thePromodBesidePromoctlIsAskedAndElseTheOneOnThePath() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let daemon = try DaemonUnderTest(in: scratch)
        try scratch.write("alone/none", "")
        // By a process of its own: a program that another test starts meanwhile would inherit the copy open for writing, and while
        // it runs the copy could not be executed.
        let copy = try ChildProcess.run(["/bin/cp", PromoctlUnderTest.binary, scratch("alone/promoctl")])
        #expect(copy.end == .exited(0))
        let environment = PromoctlUnderTest(daemon).environment
        let command = [scratch("alone/promoctl"), "setup", origin.url, "--ca-file", origin.caFile]
        let nowhere = try ChildProcess.run(command, environment: environment)
        #expect(nowhere.end == .exited(69))
        #expect(nowhere.output == "")
        #expect(nowhere.error.hasPrefix("promoctl: cannot start promod: no such file or directory."))
        try scratch.write("bin/none", "")
        try FileManager.default.createSymbolicLink(
            atPath: scratch("bin/promod"), withDestinationPath: DaemonUnderTest.binary)
        let path = ["PATH": scratch("bin") + ":/usr/bin:/bin"]
        let found = try ChildProcess.run(command, environment: environment.merging(path) { $1 })
        #expect(found.end == .exited(0), "\(found.error)")
    }
}
