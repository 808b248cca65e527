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
