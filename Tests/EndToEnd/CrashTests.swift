import Foundation
import PromoTestSupport
import Testing

/// The built daemon, or the process that fetches for it, ends before its work is done.
struct CrashTests {
    /// A daemon that waits for its origin, and the process with which it does.
    private func fetching(
        _ launcher: [String] = []
    ) throws -> (daemon: DaemonUnderTest, silent: SilentListener, process: pid_t) {
        let silent = try SilentListener()
        let daemon = try DaemonUnderTest(launcher: launcher, "--catalog-url", "https://localhost:\(silent.port)/c.json")
        #expect(comes { silent.isConnected })
        #expect(daemon.process.children.count == 1)
        return (daemon, silent, try #require(daemon.process.children.first))
    }

    // If SIGCHLD is ignored, the kernel forgets how a child ended.
    @Test(arguments: [[], ["env", "--ignore-signal=CHLD"]])
    func aFetchingProcessThatIsKilledIsAFailedFetchAndNothingElse(launcher: [String]) throws {
        let (daemon, silent, process) = try fetching(launcher)
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

    /// If the unit is stopped right after its start, SIGTERM arrives before the daemon is ready.
    @Test func aStopDuringTheStartIsAnOrderlyEnd() throws {
        for _ in 0..<20 {
            let scratch = try ScratchDirectory()
            let notify = try NotifySocket(in: scratch)
            let process = try ChildProcess(
                [DaemonUnderTest.binary],
                environment: DaemonUnderTest.environment(in: scratch).merging(["NOTIFY_SOCKET": notify.path]) { $1 })
            #expect(comes { FileManager.default.fileExists(atPath: scratch("run/promod/promod.sock")) })
            process.signal(SIGTERM)
            #expect(process.wait() == .exited(0))
            #expect(!FileManager.default.fileExists(atPath: scratch("run/promod/promod.sock")))
        }
    }
}
