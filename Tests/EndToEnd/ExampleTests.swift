import Foundation
import PromoTestSupport
import Testing

/// The example program, as a newcomer runs it against a daemon.
struct ExampleTests {
    private static let binary =
        URL(fileURLWithPath: DaemonUnderTest.binary).deletingLastPathComponent().path
        + "/more-apps-example"

    @Test func intoAPipeItPrintsTheListOnce() throws {
        let daemon = try DaemonUnderTest()
        let (end, output, error) = try ChildProcess.run(
            [Self.binary, "finebill"], environment: DaemonUnderTest.environment(in: daemon.scratch))
        #expect(end == .exited(0), "\(error)")
        #expect(output.contains("[Bo] Bookary   Reading       A diary for the books you read\n"))
        #expect(!output.contains("FineBill"), "an app that promotes itself")
        #expect(try daemon.ask(#"{"method":"status"}"#).contains("\"impression\":1"))
    }

    @Test func onATerminalAKeyTapsARow() throws {
        let daemon = try DaemonUnderTest()
        let terminal = try Pseudoterminal()
        let program = try terminal.start([Self.binary, "finebill"], environment: DaemonUnderTest.environment(in: daemon.scratch))
        #expect(try terminal.shows("> 1  Bo "))
        try terminal.type("2")
        #expect(try terminal.shows("> 2  FP "))
        _ = program
    }

    @Test func itShowsEachStateOfTheView() throws {
        let (end, output, _) = try ChildProcess.run([Self.binary, "--states"], environment: ["LANG": "C"])
        #expect(end == .exited(0))
        for line in [
            "[loaded]", "[loading]", "Loading…", "[cached]", "[empty(canRetry: true)]", "[ Try Again ]",
            "The list of apps cannot be updated, because promod cannot be reached. Start promod.",
        ] {
            #expect(output.contains(line + "\n"), "\(line)")
        }
    }

    /// Beside it another publisher's default, and a partner's catalog that lists the app, too.
    @Test func itShowsTheCatalogThatThePackageOfTheAppBrings() throws {
        let (scratch, acme, other) = (try ScratchDirectory(), try NginxOrigin(), try NginxOrigin())
        try other.publish(SampleFile.text.replacing("finebill", with: "zed").replacing("Bookary", with: "Otherly"))
        try scratch.write(
            "share/promod/catalogs.d/acme.toml",
            "url = \"\(acme.url)\"\nca-file = \"\(acme.caFile)\"\nhosts = [\"finebill\"]\n")
        try scratch.write(
            "config/promod/catalogs.d/default.toml", "url = \"\(other.url)\"\nca-file = \"\(other.caFile)\"\n")
        try scratch.write("share/promod/catalogs.d/aaa.toml", "url = \"https://localhost:\(acme.port)/partner.json\"\n")
        try scratch.write("share/promod/catalogs.d/aaa.json", SampleFile.renamed.replacing("Bookary", with: "Partner"))
        let daemon = try DaemonUnderTest(in: scratch, catalog: nil)
        for name in ["acme", "default"] { _ = try daemon.ask(#"{"method":"list","catalog":"\#(name)","wait":true}"#) }
        for (host, name) in [("finebill", "Bookary"), ("zed", "Otherly"), ("nobody", "Otherly")] {
            let (end, output, error) = try ChildProcess.run(
                [Self.binary, host], environment: DaemonUnderTest.environment(in: scratch))
            #expect(end == .exited(0) && output.contains("] \(name) "), "\(output) \(error)")
        }
    }

    @Test func withoutADaemonItSaysWhatIsWrong() throws {
        let scratch = try ScratchDirectory()
        let (end, output, _) = try ChildProcess.run(
            [Self.binary], environment: DaemonUnderTest.environment(in: scratch))
        #expect(end == .exited(0))
        #expect(output.contains("promod cannot be reached. Start promod.\n[ Try Again ]\n"))
    }
}
