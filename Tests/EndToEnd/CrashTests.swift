import Foundation
import PromoTestSupport
import Testing

/// The built daemon under a service manager that restarts it after a crash.
struct CrashTests {
    @Test func aCrashIsReportedAtTheNextStartWithoutAPause() throws {
        let scratch = try ScratchDirectory()
        let first = try DaemonUnderTest(in: scratch)
        first.process.signal(SIGKILL)
        #expect(first.process.wait() == .signalled(SIGKILL))
        let second = try DaemonUnderTest(in: scratch)
        #expect(second.stop() == .exited(0))
        let line = second.process.standardError.split(separator: "\n").first { $0.contains("serves again") }
        #expect(line?.contains("warning: promod") == true && line?.contains(" once") == true)
    }

    /// A fault happens again after the trace, and then ends the process; a signal that was sent does not.
    @Test(.disabled(if: Sanitizer.isOn), arguments: [SIGSEGV, SIGABRT, SIGTRAP])
    func aSignalThatWasSentEndsTheProcessAfterTheTrace(signal: Int32) throws {
        let daemon = try DaemonUnderTest(
            environment: ["SWIFT_BACKTRACE": "enable=yes,interactive=no,swift-backtrace=/bin/true"])
        daemon.process.signal(signal)
        #expect(daemon.process.wait() == .signalled(signal))
    }

    /// A daemon that waits for its origin, and the process with which it does.
    private func fetching() throws -> (daemon: DaemonUnderTest, silent: SilentListener, process: pid_t) {
        let silent = try SilentListener()
        let daemon = try DaemonUnderTest("--catalog-url", "https://localhost:\(silent.port)/c.json")
        #expect(comes { silent.isConnected })
        #expect(daemon.process.children.count == 1)
        return (daemon, silent, try #require(daemon.process.children.first))
    }

    @Test func aFetchingProcessThatIsKilledIsAFailedFetchAndNothingElse() throws {
        let (daemon, silent, process) = try fetching()
        defer { withExtendedLifetime(silent) {} }
        kill(process, SIGSEGV)
        let status = try daemon.ask(#"{"method":"list","params":{"wait":true}}"#)
        #expect(status.state == "empty")
        #expect(daemon.process.children == [])
        #expect(daemon.stop() == .exited(0))
        #expect(daemon.logs("The process that fetches ended unexpectedly, by signal 11 (Segmentation fault)."))
    }

    @Test func aFetchingProcessDoesNotOutliveItsPromod() throws {
        let (daemon, silent, process) = try fetching()
        defer { withExtendedLifetime(silent) {} }
        daemon.crash()
        #expect(comes { kill(process, 0) != 0 })
    }

    @Test func anOrderlyEndIsNoCrash() throws {
        let scratch = try ScratchDirectory()
        #expect(try DaemonUnderTest(in: scratch).stop() == .exited(0))
        let second = try DaemonUnderTest(in: scratch)
        #expect(second.stop() == .exited(0))
        #expect(!second.process.standardError.contains("serves again"))
    }

    @Test func aCrashLoopIsSlowedDownAndAStopEndsThePauseInGoodOrder() throws {
        let scratch = try ScratchDirectory()
        let now = Int(Date().timeIntervalSince1970 * 1000)
        try scratch.write("run/promod/running", "\(now) 20 0\n")
        let notify = try NotifySocket(in: scratch)
        let process = try ChildProcess(
            [DaemonUnderTest.binary],
            environment: DaemonUnderTest.environment(in: scratch).merging(["NOTIFY_SOCKET": notify.path]) { $1 })
        let statuses = notify.wait { $0.hasPrefix("STATUS=") }
        #expect(statuses.count == 1)
        #expect(statuses.first?.contains("21 times in a row") == true && statuses.first?.contains("in 30s") == true)
        process.signal(SIGTERM)
        #expect(process.wait(seconds: 20) == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: scratch("run/promod/running")))
        let next = try DaemonUnderTest(in: scratch)
        #expect(next.stop() == .exited(0))
        #expect(!next.process.standardError.contains("serves again"))
    }

    /// If the unit is stopped right after its start, SIGTERM arrives before the daemon has set up anything.
    @Test func aStopDuringTheStartIsAnOrderlyEnd() throws {
        for _ in 0..<20 {
            let scratch = try ScratchDirectory()
            let notify = try NotifySocket(in: scratch)
            let process = try ChildProcess(
                [DaemonUnderTest.binary],
                environment: DaemonUnderTest.environment(in: scratch).merging(["NOTIFY_SOCKET": notify.path]) { $1 })
            _ = comes { FileManager.default.fileExists(atPath: scratch("run/promod/running")) }
            process.signal(SIGTERM)
            #expect(process.wait() == .exited(0))
            #expect(!FileManager.default.fileExists(atPath: scratch("run/promod/running")))
        }
    }
}
