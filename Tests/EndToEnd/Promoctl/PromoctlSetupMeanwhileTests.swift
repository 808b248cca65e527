import Glibc
import PromoTestSupport
import Testing

/// `promoctl setup` beside other programs that write the file or configure promod, and the program that does its work.
struct PromoctlSetupMeanwhileTests {
    private static let file = "config/promod/config.toml"

    @Test func ofManyAtOnceEachWritesAWholeFile() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let promoctl = PromoctlUnderTest(in: scratch)
        let urls = (0..<8).map { "\(origin.url)?n=\($0)" + String(repeating: "x", count: $0 * 100) }
        let children = try urls.map { try promoctl.start(["setup", "--yes", $0, "--ca-file", origin.caFile]) }
        // There is no promod that could be told.
        for child in children { #expect(child.wait() == .exited(69), "\(child.standardError)") }
        let lines = scratch.read(Self.file).split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("url = ") }.count == 1)
        #expect(urls.contains { lines.contains("url = \"\($0)\"") })
        #expect(lines.contains("ca-file = \"\(origin.caFile)\""))
    }

    /// promoctl with a promod beside it that changes the file behind each change.
    private func interfering(_ daemon: DaemonUnderTest, _ command: String) throws -> (String...) throws -> Ran {
        let scratch = daemon.scratch
        try scratch.install("promoctl", copying: PromoctlUnderTest.binary)
        try scratch.write("script", "#!/bin/sh\n'\(DaemonUnderTest.binary)' \"$@\"\n\(command)\n")
        try scratch.install("promod", copying: scratch("script"))
        return { (arguments: String...) in
            Ran(
                try ChildProcess.run(
                    [scratch("promoctl")] + arguments, environment: PromoctlUnderTest(daemon).environment))
        }
    }

    @Test func anAddressThatAnotherSetupReplacesMeanwhileIsSaidToBeInTheFile() throws {
        let (origin, daemon) = (try NginxOrigin(), try DaemonUnderTest(catalog: nil))
        let file = daemon.scratch(Self.file)
        let run = try interfering(daemon, "sed -i 's,^url = .*,url = \"https://localhost:1/other.json\",' '\(file)'")
        let setup = try run("setup", origin.url, "--ca-file", origin.caFile)
        #expect((setup.code, setup.output) == (65, ""))
        #expect(
            setup.error.hasSuffix(
                "promoctl: The configuration is written, but promod keeps https://localhost:1/other.json: another program has "
                    + "changed \(file) meanwhile.\n"), "\(setup.error)")
    }

    @Test func anAddressThatIsRemovedMeanwhileIsSaidToBeGoneFromTheFile() throws {
        let (origin, daemon) = (try NginxOrigin(), try DaemonUnderTest(catalog: nil))
        let run = try interfering(daemon, "rm '\(daemon.scratch(Self.file))'")
        let setup = try run("setup", origin.url, "--ca-file", origin.caFile)
        #expect(setup.code == 65)
        #expect(setup.error.contains("promod keeps no address: another program has changed "), "\(setup.error)")
    }

    @Test func beforeAnythingIsPrintedPromodHasReadTheFile() throws {
        let daemon = try DaemonUnderTest(catalog: nil)
        let ran = try PromoctlUnderTest(daemon).shell("{ sleep 0.2; promoctl setup --sample; } 2>&1 | true")
        #expect(ran.code == 0)
        #expect(try daemon.status("queries", "reload") == 1)
        #expect(try daemon.ask(#"{"method":"list"}"#).apps.count == 5)
    }

    @Test func whatKeepsARemovedCatalogIsNamed() throws {
        let started = PromoctlUnderTest(try DaemonUnderTest(catalog: nil, "--sample"))
        let removed = try started.run("setup", "--remove")
        #expect((removed.code, removed.output) == (65, ""))
        #expect(
            removed.error.contains(
                "promod keeps the sample: it was started with another configuration, on its command line or in its environment"
            ), "\(removed.error)")
        let daemon = try DaemonUnderTest()
        let kept = try PromoctlUnderTest(daemon).run("setup", "--remove")
        let site = daemon.scratch("etc/promod/config.toml")
        #expect(kept.code == 65 && kept.error.hasSuffix("promod keeps the sample: \(site) configures it.\n"))
    }

    // MARK: Wrong usage

    @Test(arguments: [
        (["setup", "--bogus"], "Unknown option '--bogus'"), (["setup", "--undo", "--hide"], "exclude each other"),
        (["setup", "--catalog", "acme", "--bogus"], "Unknown option '--bogus'"),
        (["tap", "--bogus"], "Unknown option '--bogus'"), (["validate", "--stirct"], "Unknown option '--stirct'"),
    ])
    func aWrongOptionIsNamedBeforeWhatIsMissing(arguments: [String], words: String) throws {
        let promoctl = PromoctlUnderTest(in: try ScratchDirectory())
        let programs = ["validate": [PromoctlUnderTest.binary, DaemonUnderTest.binary]]
        for binary in programs[arguments[0]] ?? [PromoctlUnderTest.binary] {
            // On a terminal, the catalog to validate is missing, too.
            let terminal = try Pseudoterminal(columns: 200)
            let child = try terminal.start([binary] + arguments, environment: promoctl.environment)
            #expect(terminal.read().contains(words))
            #expect(child.wait() == .exited(64))
        }
    }

    @Test(arguments: [("setup", "The address of a catalog is missing")])
    func whatIsMissingIsSaidWithTheUsageOfTheSubcommand(command: String, words: String) throws {
        let ran = try PromoctlUnderTest(in: try ScratchDirectory()).run(command)
        #expect((ran.code, ran.output) == (64, ""))
        #expect(ran.error.hasPrefix("Error: \(words)") && ran.error.contains("\nUsage: promoctl \(command) ["))
        #expect(ran.error.hasSuffix("\n  See 'promoctl \(command) --help' for more information.\n"))
    }

    // MARK: The program that does the work

    @Test(arguments: ["", "{}", #"{"action":"none"}"#, "[]"]) func whatIsNoChangeIsRefused(input: String) throws {
        let (end, output, error) = try ChildProcess.run([DaemonUnderTest.binary, "configure"], input: input)
        #expect(end == .exited(64) && output.isEmpty && error.contains("promoctl setup"))
    }

    @Test(arguments: ["http://user:hunter2@example.com/c.json?token=hunter2", "https://user:hunter2@/c.json"])
    func whatIsNoAddressIsNotShownForItMayHoldAPassword(text: String) throws {
        for command in [[PromoctlUnderTest.binary, "setup"], [DaemonUnderTest.binary, "validate"]] {
            let (end, output, error) = try ChildProcess.run(command + [text])
            #expect(end == .exited(64))
            #expect(!(output + error).contains("hunter2"), "\(error)")
        }
    }

    @Test func aGoodAddressIsShownWithoutItsSecrets() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let (end, output, error) = try ChildProcess.run(
            [DaemonUnderTest.binary, "validate", "\(origin.url)?token=hunter2"],
            environment: DaemonUnderTest.environment(in: scratch)
                .merging(["PROMOD_CATALOG_CA_FILE": origin.caFile]) { $1 })
        #expect(end == .exited(0), "\(error)")
        #expect(output.contains("\(origin.url): good, 5 apps"))
        #expect(!(output + error).contains("hunter2"))
    }
}
