import Glibc
import PromoTestSupport
import Testing

/// The built daemon under a service manager with a watchdog.
struct WatchdogPingTests {
    @Test func pingsContinueWhileThePlanesWork() throws {
        let daemon = try DaemonUnderTest(environment: ["WATCHDOG_USEC": "100000"])
        for _ in 0..<5 {
            #expect(daemon.notify.wait { $0 == "WATCHDOG=1" }.last == "WATCHDOG=1")
        }
        #expect(daemon.stop() == .exited(0))
    }

    @Test func withoutAWatchdogThereIsNoPing() throws {
        let daemon = try DaemonUnderTest()
        #expect(daemon.stop() == .exited(0))
        #expect(!daemon.notify.wait { $0 == "STOPPING=1" }.contains("WATCHDOG=1"))
    }

    @Test func aWatchdogMeantForAnotherProcessIsNotFed() throws {
        let daemon = try DaemonUnderTest(environment: ["WATCHDOG_USEC": "100000", "WATCHDOG_PID": "1"])
        #expect(daemon.stop() == .exited(0))
        #expect(!daemon.notify.wait { $0 == "STOPPING=1" }.contains("WATCHDOG=1"))
    }
}
