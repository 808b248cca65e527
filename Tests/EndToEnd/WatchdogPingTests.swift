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
}
