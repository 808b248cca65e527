import Foundation
import PromoTestSupport
import Testing

/// What all commands have in common: where output goes, exit codes and `--json`.
struct PromoctlOutputTests {
    @Test(arguments: [
        ["list"], ["tap", "bookary"], ["impression", "bookary"], ["launch", "bookary"],
        ["review", "eligible", "bookary", "--completed", "3"], ["review", "request", "bookary", "--completed", "3"],
        ["clear"], ["status"], ["reload"], ["wait"], ["doctor"], ["check"],
    ])
    func everyCommandPrintsItsResultOnOneLine(command: [String]) throws {
        let ran = try PromoctlUnderTest(try DaemonUnderTest()).run(command + ["--json"])
        #expect([0, 1].contains(ran.code))
        #expect(ran.error == "")
        #expect(ran.output.hasSuffix("}\n"))
        #expect(try !ran.json.isEmpty)
        #expect(try ran.json["jsonrpc"] == nil && ran.json["result"] == nil)
    }

    @Test func onATerminalAResultOnOneLineIsTheSame() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        let list = try promoctl.run("list", "--json")
        #expect(try promoctl.draw(columns: 60, "list", "--json").text == list.output.dropLast() + "\r\n")
    }

    @Test(arguments: [
        ["nonsense"], ["list", "--limit", "0"], ["list", "--limit", "x"], ["list", "--lang", "ko"], ["list", "extra"],
        ["tap"], ["tap", "a", "b"], ["impression"], ["launch"], ["review", "eligible", "bookary"],
        ["review", "eligible", "bookary", "--completed=-1"], ["review", "request", "bookary", "--completed", "many"],
        ["events", "--since=-1"], ["events", "--since", "x"], ["events", "clicks"], ["metrics", "--textfile", ""],
        ["wait", "--timeout=-1s"], ["wait", "--timeout", "5"], ["wait", "--timeout", "2 days"], ["setup"],
        ["setup", "http://example.com/"],
    ])
    func wrongUsageIsReportedOnStandardErrorOnly(arguments: [String]) throws {
        let ran = try PromoctlUnderTest(in: try ScratchDirectory()).run(arguments)
        #expect((ran.code, ran.output) == (64, ""))
        #expect(ran.error.hasPrefix("Error: "))
        #expect(ran.error.contains("Usage: promoctl"))
    }

    @Test(arguments: [
        ("tap --hots", "Unknown option '--hots'. Did you mean '--host'?"),
        ("clear --ctalog", "Unknown option '--ctalog'. Did you mean '--catalog'?"),
        ("review eligible --complted 3", "Unknown option '--complted'. Did you mean '--completed'?"),
        ("tap --host", "Missing value for '--host <id>'"), ("tap", "Missing expected argument '<app>'"),
        ("review eligible", "Missing expected argument '<app>'"),
        ("LIST", "There is no subcommand \"LIST\". Did you mean \"list\"?"),
        ("hlep", "There is no subcommand \"hlep\". Did you mean \"help\"?"),
        ("review all", "There is no subcommand \"all\". \"promoctl help review\" lists them."),
        (
            "list --catalog Acme",
            "--catalog takes a catalog's name (1 to 64 lowercase ASCII letters, digits and hyphens) or its https address, not "
                + "\"Acme\"; in lower case: acme; \"promoctl status\" lists the catalogs."
        ),
        ("help lst", "There is no subcommand \"lst\". Did you mean \"list\"?"),
        ("help review eligble", "There is no subcommand \"eligble\". Did you mean \"eligible\"?"),
        ("help zzzzzz", "There is no subcommand \"zzzzzz\". \"promoctl help\" lists them."),
    ])
    func wrongUsageIsNamedWithWhatWasProbablyMeant(line: String, message: String) throws {
        let ran = try PromoctlUnderTest(in: try ScratchDirectory()).run(line.split(separator: " ").map(String.init))
        #expect((ran.code, ran.output) == (64, ""))
        #expect(ran.error.hasPrefix("Error: \(message)\n"), "\(ran.error)")
    }

    @Test func helpNamesEveryCommandAndTheExitCodes() throws {
        let promoctl = PromoctlUnderTest(in: try ScratchDirectory())
        let help = try promoctl.run("--help")
        #expect(help.code == 0)
        for command in [
            "setup", "list", "tap", "impression", "launch", "review", "refresh", "clear", "wait", "status", "events",
            "reload", "doctor", "check", "metrics", "page", "validate",
        ] {
            #expect(help.output.contains("\n  \(command) "))
            if command == "validate" { continue }
            // It fits on a screen.
            let own = try promoctl.run(command, "--help")
            #expect(own.code == 0 && own.lines.count <= 30, "\(command): \(own.lines.count)")
        }
        #expect(help.output.contains("Exit codes: 0 done or yes; 1 no; 2 something is broken"))
        #expect(try promoctl.run().output == help.output)
    }

    @Test func outputThatCannotBeWrittenIsAnError() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        for command in [
            "list", "status", "list --json", "doctor", "metrics", "tap bookary", "events --since 0", "--version",
            "list --help",
        ] {
            // Without a standard output, the socket must not become that.
            for (output, reason) in [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")] {
                let ran = try promoctl.shell("promoctl \(command) \(output)")
                #expect(ran.code == 74, "\(command)")
                #expect(ran.error.contains("the output cannot be written: \(reason)"))
            }
        }
    }

    @Test(arguments: [
        "promoctl list 2>&1 >file", "promoctl --help 2>&1 >file", "promoctl page --output file 2>&1",
        "promoctl metrics --textfile . 2>&1", "promoctl setup --sample 2>&1",
        "'\(DaemonUnderTest.binary)' --print-configuration 2>&1 >file",
    ]) func aLimitOnTheSizeOfFilesIsAnErrorAndChangesNoFile(command: String) throws {
        let daemon = try DaemonUnderTest()
        let place = daemon.scratch("place/promod/catalogs.d")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try daemon.scratch.write("place/promod/catalogs.d/default.toml", "old")
        let here = PromoctlUnderTest(daemon, environment: ["XDG_CONFIG_HOME": daemon.scratch("place")])
        // The test itself reads from a file.
        let ran = try here.shell("cd '\(place)'; { ulimit -f 0; \(command); echo \"= $?\"; } | cat; cat default.toml")
        #expect(ran.lines.last == "= 74" && ran.output.hasSuffix("old"), "\(ran)")
        #expect(ran.output.contains("cannot be written: "), "\(ran)")
        let left = try FileManager.default.contentsOfDirectory(atPath: place)
        #expect(left.sorted() == ["default.toml"] + (command.contains(">file") ? ["file"] : []))
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

    @Test func idsAreCompletedWithTheCatalogs() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        let completed = try promoctl.run("---completion", "tap", "--", "positional@0", "0", "0", "b")
        #expect(completed.lines.contains("bookary"), "\(completed)")
    }
}
