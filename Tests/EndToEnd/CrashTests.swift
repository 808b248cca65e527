import Foundation
import PromoTestSupport
import Testing

/// The built daemon under a service manager that starts it again when it has crashed.
struct CrashTests {
    @Test func aCrashIsToldAtTheNextStartAndCostsItNothing() throws {
        let scratch = try ScratchDirectory()
        let first = try DaemonUnderTest(in: scratch)
        first.process.signal(SIGKILL)
        #expect(first.process.wait() == .signalled(SIGKILL))
        let second = try DaemonUnderTest(in: scratch)
        #expect(second.stop() == .exited(0))
        #expect(second.process.standardError.contains("warning: promod has ended once without being told to."))
    }

    @Test func anOrderlyEndIsNoCrash() throws {
        let scratch = try ScratchDirectory()
        #expect(try DaemonUnderTest(in: scratch).stop() == .exited(0))
        let second = try DaemonUnderTest(in: scratch)
        #expect(second.stop() == .exited(0))
        #expect(!second.process.standardError.contains("without being told"))
    }

    @Test func aCrashLoopIsSlowedDownAndAStopEndsThePauseInGoodOrder() throws {
        let scratch = try ScratchDirectory()
        let now = Int(Date().timeIntervalSince1970 * 1000)
        try scratch.write("run/promod/running", "\(now) 20\n")
        let notify = try NotifySocket(in: scratch)
        let process = try ChildProcess(
            [DaemonUnderTest.binary],
            environment: DaemonUnderTest.environment(in: scratch).merging(["NOTIFY_SOCKET": notify.path]) { $1 })
        let told = notify.wait { $0.hasPrefix("STATUS=") }
        #expect(told == ["STATUS=promod has ended 21 times in a row without being told to. It serves again in 30s."])
        process.signal(SIGTERM)
        #expect(process.wait(seconds: 20) == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: scratch("run/promod/running")))
        let next = try DaemonUnderTest(in: scratch)
        #expect(next.stop() == .exited(0))
        #expect(!next.process.standardError.contains("without being told"))
    }

    /// A manager that is told to stop at once sends SIGTERM before the daemon has set up anything.
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
