import Foundation
import PromoTestSupport
import Testing

/// What all commands have in common: where output goes, exit codes and `--json`.
struct PromoctlOutputTests {
    @Test func aPipeGetsTheRowsAloneWithoutColoursLinksOrCuts() throws {
        let origin = try NginxOrigin()
        try origin.publish(try CatalogText.of(CatalogText.endless))
        let promoctl = PromoctlUnderTest(try DaemonUnderTest.keeping(origin)).with(["COLUMNS": "40"])
        let list = try promoctl.shell("promoctl list | cat")
        try #require(list.lines.count == 3)
        #expect(!list.output.contains("\u{1B}"))
        #expect(list.lines[0].hasSuffix(String(repeating: "t", count: 300)))
        #expect(list.lines[0].contains(String(repeating: "W", count: 300)))
        #expect(list.error == "")
        let json = try promoctl.run("list", "--json")
        #expect(try promoctl.draw(columns: 60, "list", "--json").text == json.output.dropLast() + "\r\n")
    }

    @Test func aListEmitsNoImpressions() throws {
        let daemon = try DaemonUnderTest()
        let promoctl = PromoctlUnderTest(daemon)
        for arguments in [["list"], ["list", "--json"]] { #expect(try promoctl.run(arguments).code == 0) }
        #expect(try promoctl.draw(columns: 80, "list").code == 0)
        #expect(try daemon.status().object("requests") as? [String: Int] == ["list": 3, "status": 1])
    }

    @Test(arguments: ["tap -alpha", "tap bookary -xh", "review eligible -alpha", "-alpha", "list --host -h-"])
    func aWordBehindOneHyphenIsAnErrorAndAsksForNoHelp(command: String) throws {
        let ran = try PromoctlUnderTest(in: try ScratchDirectory()).shell("promoctl \(command)")
        #expect((ran.code, ran.output) == (64, ""))
        #expect(ran.error.hasPrefix("Error: Unknown option '-"), "\(ran)")
    }

    @Test func theHelpOfEachCommandFitsOnAScreen() throws {
        let promoctl = PromoctlUnderTest(in: try ScratchDirectory())
        let help = try promoctl.run("--help")
        #expect(help.code == 0)
        let commands = help.output.matches(of: #/\n  ([a-z]+) /#).map { String($0.1) }
        #expect(commands.count > 15)
        for command in commands where command != "validate" {
            let own = try promoctl.run(command, "--help")
            #expect(own.code == 0, "\(command)")
            #expect(own.lines.count <= 32, "\(command)")
        }
        #expect(help.output.contains("Exit codes: 0 done or yes; 1 no; 2 something is broken"))
        #expect(try promoctl.run().output == help.output)
    }

    @Test func outputThatCannotBeWrittenIsAnError() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        for command in [
            "list", "status", "list --json", "doctor", "metrics", "tap bookary", "events --since 0", "--version",
            "list --help", "list --json --help",
        ] {
            // Without a standard output, the socket must not become that.
            for (output, reason) in [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")] {
                let ran = try promoctl.shell("promoctl \(command) \(output)")
                #expect(ran.code == 74, "\(command)")
                #expect(ran.error.contains("the output cannot be written: \(reason)"))
                #expect(ran.error.hasPrefix("{") == command.contains("--json"), "\(command)")
            }
        }
    }

    @Test(arguments: [
        "promoctl list 2>&1 >file", "promoctl --help 2>&1 >file", "promoctl page --output file 2>&1",
        "promoctl setup --sample 2>&1",
        "'\(DaemonUnderTest.binary)' --print-configuration 2>&1 >file",
    ]) func aLimitOnTheSizeOfFilesIsAnErrorAndChangesNoFile(command: String) throws {
        let daemon = try DaemonUnderTest()
        let place = daemon.scratch("place/promod/catalogs.d")
        try daemon.scratch.write("place/promod/catalogs.d/default.toml", "old")
        let here = PromoctlUnderTest(daemon, environment: ["XDG_CONFIG_HOME": daemon.scratch("place")])
        // The test itself reads from a file.
        let ran = try here.shell("cd '\(place)'; { ulimit -f 0; \(command); echo \"= $?\"; } | cat; cat default.toml")
        #expect(ran.lines.last == "= 74")
        #expect(ran.output.hasSuffix("old"))
        #expect(ran.output.contains("cannot be written: "))
        let left = try daemon.scratch.names(in: "place/promod/catalogs.d")
        #expect(left == ["default.toml"] + (command.contains(">file") ? ["file"] : []))
    }

    @Test func theSocketIsTheOneThatIsNamedFirst() throws {
        let daemon = try DaemonUnderTest()
        let elsewhere = PromoctlUnderTest(in: try ScratchDirectory())
        #expect(try elsewhere.run("status").code == 69)
        #expect(try elsewhere.run("status", "--socket", daemon.socketPath).code == 0)
        #expect(try elsewhere.with(["PROMOD_SOCKET": daemon.socketPath]).run("status").code == 0)
        let both = elsewhere.with(["PROMOD_SOCKET": "/nowhere"])
        #expect(try both.run("list", "--socket", daemon.socketPath).lines.count == 5)
        #expect(try both.draw(columns: 80, "list", "--socket", daemon.socketPath).code == 0)
    }
}
