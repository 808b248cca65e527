import Foundation
import PromoTestSupport
import Testing

/// The example program, as a newcomer runs it against a daemon.
struct ExampleTests {
    private static let binary =
        URL(fileURLWithPath: DaemonUnderTest.binary).deletingLastPathComponent().path
        + "/more-apps-example"

    @Test func itShowsTheListWithItsStatesAndLogsWhatHappens() throws {
        let daemon = try DaemonUnderTest()
        let (end, output, error) = try ChildProcess.run(
            [Self.binary, "finebill"], environment: DaemonUnderTest.environment(in: daemon.scratch),
            input: "1\ns\n7\nq\n")
        #expect(end == .exited(0), "\(error)")
        for line in [
            "[Bo] Bookary   Reading       A diary for the books you read", "[loaded]", "event: bookary was tapped",
            "To the store: https://example.com/?app=bookary", "[loading]", "[cached]",
            "[empty(canRetry: true)]", "[ Try Again ]",
            "The list of apps cannot be updated, because promod cannot be reached. Start promod.",
            "A number of a row, r, s or q.",
        ] {
            #expect(output.contains(line + "\n"), "\(line)")
        }
        #expect(!output.contains("FineBill"), "an app that promotes itself")
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
                [Self.binary, host], environment: DaemonUnderTest.environment(in: scratch), input: "1\nq\n")
            #expect(end == .exited(0) && output.contains("] \(name) "), "\(output) \(error)")
        }
    }

    @Test func withoutADaemonItSaysHowToStartOne() throws {
        let scratch = try ScratchDirectory()
        // It is told to quit only when it has shown the list.
        let script = """
            { echo 1; for _ in $(seq 1200); do grep -q 'Try Again' "$1" && break; sleep 0.05; done; echo q; } | stdbuf -oL "$0" >"$1" && cat "$1"
            """
        let (end, output, _) = try ChildProcess.run(
            ["sh", "-c", script, Self.binary, scratch("output")], environment: DaemonUnderTest.environment(in: scratch))
        #expect(end == .exited(0))
        #expect(output.contains("error: promod cannot be reached at \(scratch.path)"))
        #expect(output.contains("systemctl --user restart promod.socket"))
        #expect(output.contains("Start promod."))
        #expect(output.contains("[ Try Again ]"))
    }
}
