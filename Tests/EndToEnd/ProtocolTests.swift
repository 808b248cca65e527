import Foundation
import PromoTestSupport
import Testing

/// The built daemon with its sample catalog, and clients of every kind.
struct ProtocolTests {
    @Test(arguments: [10, 14, 63]) func tooFewDescriptorsAreAnErrorAtTheStart(limit: Int) throws {
        let scratch = try ScratchDirectory()
        let (end, _, error) = try ChildProcess.run(
            ["prlimit", "--nofile=\(limit):\(limit)", DaemonUnderTest.binary],
            environment: DaemonUnderTest.environment(in: scratch))
        #expect(end == .exited(71))
        #expect(error.contains("the limit of \(limit) open files is too low"))
    }

    @Test func theLimitOnOpenFilesIsRaisedAsFarAsItMay() throws {
        let daemon = try DaemonUnderTest(launcher: ["prlimit", "--nofile=100:2000"])
        let limits = try String(contentsOfFile: "/proc/\(daemon.process.pid)/limits", encoding: .utf8)
        #expect(limits.contains(/Max open files +2000 +2000/), "\(limits)")
    }

    // The thread sanitizer cannot start without files of its own.
    @Test(.disabled(if: Sanitizer.isOn)) func aLimitOnTheSizeOfFilesEndsNothing() throws {
        let daemon = try DaemonUnderTest(launcher: ["prlimit", "--fsize=0:0"])
        #expect(try daemon.ask(#"{"method":"list"}"#).result["apps"] != nil)
        #expect(try daemon.launch("bookary").reason == "not-stored")
        #expect(daemon.stop() == .exited(0))
    }

    @Test(.enabled(if: getuid() == 0, "only root can become another user"))
    func aListenerOfAnotherUserIsNotTrusted() throws {
        let scratch = try ScratchDirectory()
        chmod(scratch.path, 0o777)
        let listener = try ChildProcess(
            ["setpriv", "--reuid=65534", "--clear-groups", "nc", "-lU", scratch("promod.sock")])
        defer { listener.signal(SIGTERM) }
        #expect(comes { access(scratch("promod.sock"), F_OK) == 0 })
        let (end, output, error) = try ChildProcess.run(
            [PromoctlUnderTest.binary, "list"], environment: ["PROMOD_SOCKET": scratch("promod.sock")])
        #expect((end, output) == (.exited(69), ""))
        #expect(error.contains("belongs to the user with the id 65534"))
    }

    @Test func theSocketAndTheFilesAreTheUsersAlone() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.launch("bookary").reason == nil)
        for directory in ["run/promod", "state/promod"] { #expect(try daemon.scratch.mode(directory) == 0o700) }
        for file in ["run/promod/promod.sock", "state/promod/reviews.json"] {
            #expect(try daemon.scratch.mode(file) == 0o600)
        }
    }

    @Test(arguments: [false, true])
    func theSocketsDirectoryIsTheUsersAloneEvenIfAnotherProgramMadeIt(isActivated: Bool) throws {
        let scratch = try ScratchDirectory()
        try scratch.write("run/promod/other", "")
        for path in [scratch("run"), scratch("run/promod")] { #expect(chmod(path, 0o755) == 0) }
        let listener = isActivated ? try UnixSocket.listen(at: scratch("run/promod/promod.sock")) : nil
        let daemon = try DaemonUnderTest(in: scratch, listener: listener)
        if let listener { close(listener) }
        #expect(try scratch.mode("run/promod") == 0o700)
        #expect(try scratch.mode("run") == 0o755)
        daemon.stop()
        let lines = daemon.process.standardError.split(separator: "\n").filter { $0.contains("Other users") }
        let sentence = "\(scratch("run/promod")) (mode 0755); now it has mode 0700"
        #expect(lines.map { $0.contains(sentence) } == [true], "\(lines)")
    }

    @Test(arguments: ["run/promod.sock", "run/promod/own.sock", "chosen/promod.sock"])
    func aDirectoryThatTheUserChoseKeepsItsMode(socket: String) throws {
        let scratch = try ScratchDirectory()
        for place in ["run/promod", "chosen"] {
            try scratch.write("\(place)/other", "")
            #expect(chmod(scratch(place), 0o755) == 0)
        }
        #expect(chmod(scratch("run"), 0o755) == 0)
        let daemon = try DaemonUnderTest(in: scratch, environment: ["PROMOD_SOCKET": scratch(socket)])
        daemon.stop()
        for place in ["run", "run/promod", "chosen"] { #expect(try scratch.mode(place) == 0o755) }
        #expect(!daemon.process.standardError.contains("Other users"))
    }

    @Test func statusCountsWhatWasAsked() throws {
        let daemon = try DaemonUnderTest()
        for _ in 0..<3 { _ = try daemon.ask(#"{"method":"list"}"#) }
        _ = try daemon.ask("nonsense")
        let status = try daemon.status()
        #expect(status.object("requests") as? [String: Int] == ["list": 3, "status": 1])
        #expect(status.result["pid"] as? Int == Int(daemon.process.pid))
    }
}
