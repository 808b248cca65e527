import Foundation
import PromoTestSupport
import Testing

/// The example program, as a newcomer runs it against a daemon.
struct ExampleTests {
    private static let binary = DaemonUnderTest.program("more-apps-example")
    private static let probe = DaemonUnderTest.program("LibraryProbe")

    @Test func intoAPipeItPrintsTheListOnce() throws {
        let daemon = try DaemonUnderTest()
        let (end, output, error) = try ChildProcess.run(
            [Self.binary, "finebill"], environment: DaemonUnderTest.environment(in: daemon.scratch))
        #expect(end == .exited(0), "\(error)")
        #expect(output.contains("[Bo] Bookary   Reading       A diary for the books you read\n"))
        #expect(!output.contains("FineBill"), "an app that promotes itself")
        #expect(try daemon.status("requests", "impression") == 1)
    }

    @Test func onATerminalAKeySelectsAndTapsARow() throws {
        let daemon = try DaemonUnderTest()
        let terminal = try Pseudoterminal(columns: 80)
        var environment = DaemonUnderTest.environment(in: daemon.scratch)
        (environment["TERM"], environment["PATH"]) = ("xterm", daemon.scratch.path)
        let program = try terminal.start([Self.binary, "finebill"], environment: environment)
        #expect(terminal.read(until: "FinePomo").contains("\u{1B}[?1049h"))
        terminal.write("2")
        #expect(terminal.read(until: "> 2").contains("> 2"))
        terminal.write("\n")
        // Here is no xdg-open.
        #expect(terminal.read(until: "https://").contains("Open this address in your browser:"))
        terminal.write("q")
        #expect(terminal.read().hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
        #expect(program.wait() == .exited(0))
        let requests = try daemon.status().object("requests")
        #expect((requests["tap"] as? Int, requests["impression"] as? Int) == (1, 1))
    }

    /// Of a host that no catalog has, of one that cannot be an id, of an address, and of a review without a count.
    @Test func aMistakeOfTheDeveloperIsToldOnceOnStandardErrorAlone() throws {
        let daemon = try DaemonUnderTest()
        let (end, output, error) = try ChildProcess.run(
            [Self.probe, "mistakes"], environment: DaemonUnderTest.environment(in: daemon.scratch))
        let lines = error.split(separator: "\n").filter { $0.hasPrefix("CrossPromoKit: ") }
        #expect(end == .exited(0))
        #expect(lines.count == 4, "\(error)")
        for part in [
            "\"finebil\", and no rule", "mean \"finebill\"?", "\"FineBill\"", "only from https://",
            "completedWorkoutsCount,",
        ] {
            #expect(lines.count { $0.contains(part) } == 1, "\(part): \(error)")
        }
        #expect(output.contains("Bookary"))
        for part in ["catalog", "finebil\""] { #expect(!output.contains(part)) }
    }

    @Test func whileTheViewHasTheTerminalAMistakeWaits() throws {
        let daemon = try DaemonUnderTest()
        let terminal = try Pseudoterminal(columns: 80)
        let environment = DaemonUnderTest.environment(in: daemon.scratch).merging(["TERM": "xterm"]) { $1 }
        let program = try terminal.start([Self.binary, "finebil"], environment: environment)
        #expect(!terminal.read(until: "FinePomo").contains("CrossPromoKit"))
        terminal.write("q")
        #expect(terminal.read().contains("\u{1B}[?1049lCrossPromoKit: The catalog has no app"))
        #expect(program.wait() == .exited(0))
    }

    /// As an app that is tested with the thread sanitizer is, which has no list of reports to leave out.
    @Test func manyCallsFromAllThreadsAreNoRaces() throws {
        let daemon = try DaemonUnderTest()
        var environment = DaemonUnderTest.environment(in: daemon.scratch)
        environment["TSAN_OPTIONS"] = "halt_on_error=1"
        let (end, _, error) = try ChildProcess.run([Self.probe, "many"], environment: environment)
        #expect(end == .exited(0), "\(error)")
        #expect(!error.contains("ThreadSanitizer"))
    }

    @Test func itShowsEachStateOfTheView() throws {
        let (end, output, _) = try ChildProcess.run([Self.binary, "--states"], environment: ["LANG": "C"])
        #expect(end == .exited(0))
        for line in [
            "[loaded]", "[loading]", "Loading…", "[cached]", "[empty(canRetry: true)]", "[ Try Again ]",
            "Something went wrong, and apps can't be shown right now. Please try again.",
        ] {
            #expect(output.contains(line + "\n"), "\(line)")
        }
    }

    /// Beside it another publisher's default, and a partner's catalog that lists the app, too.
    @Test func itShowsTheCatalogThatThePackageOfTheAppBrings() throws {
        let (scratch, acme, other) = (try ScratchDirectory(), try NginxOrigin(), try NginxOrigin())
        try other.publish(SampleFile.text.replacing("finebill", with: "zed").replacing("Bookary", with: "Otherly"))
        try scratch.write("share/promod/catalogs.d/acme.toml", acme.dropIn + "hosts = [\"finebill\"]\n")
        try scratch.write("config/promod/catalogs.d/default.toml", other.dropIn)
        try scratch.write("share/promod/catalogs.d/aaa.toml", "url = \"https://localhost:\(acme.port)/partner.json\"\n")
        try scratch.write("share/promod/catalogs.d/aaa.json", SampleFile.renamed.replacing("Bookary", with: "Partner"))
        let daemon = try DaemonUnderTest(in: scratch, catalog: nil)
        for name in ["acme", "default"] { _ = try daemon.ask(#"{"method":"list","catalog":"\#(name)","wait":true}"#) }
        for (host, name) in [("finebill", "Bookary"), ("zed", "Otherly"), ("nobody", "Otherly")] {
            let (end, output, error) = try ChildProcess.run(
                [Self.binary, host], environment: DaemonUnderTest.environment(in: scratch))
            #expect(end == .exited(0), "\(error)")
            #expect(output.contains("] \(name) "))
        }
    }
}
