import Foundation
import PromoTestSupport
import Testing

/// A daemon that ends when nobody needs it.
struct IdleTests {
    @Test func itEndsOnlyWhenItsLastClientHasLongGone() throws {
        let daemon = try DaemonUnderTest("--exit-idle-time=1")
        var client: UnixSocket? = try daemon.connect()
        client?.send(#"{"method":"subscribe"}"# + "\n")
        #expect(client?.readLines(1).count == 1)
        #expect(daemon.process.wait(milliseconds: 2500) == nil)
        client = nil
        #expect(daemon.process.wait() == .exited(0))
        #expect(try daemon.scratch.names(in: "run/promod") == ["promod.sock.lock"])
    }

    @Test func itEndsOnlyAfterItsFetch() throws {
        let silent = try SilentListener()
        let daemon = try DaemonUnderTest(
            "--exit-idle-time=1", "--catalog-url", "https://localhost:\(silent.port)/", "--set", "refresh.timeout=4s")
        let begin = ContinuousClock.now
        #expect(daemon.process.wait() == .exited(0))
        #expect(begin.duration(to: .now) > .seconds(4.5))
    }

    @Test(arguments: ["0", "-1", "1.5", "soon", "99999999999999999999"])
    func theTimeIsAWholeNumberOfSeconds(_ time: String) throws {
        let ran = try ChildProcess.run([DaemonUnderTest.binary, "--exit-idle-time=\(time)"])
        #expect(ran.end == .exited(64))
        #expect(ran.error.contains("exit-idle-time"))
    }
}
