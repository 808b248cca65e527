import Glibc
import PromoTestSupport
import Testing

/// The built daemon under a service manager with a watchdog.
struct WatchdogPingTests {
    @Test func noPingPassesALoopThatIsBlocked() throws {
        let daemon = try DaemonUnderTest(environment: ["WATCHDOG_USEC": "100000"])
        #expect(daemon.notify.wait { $0 == "WATCHDOG=1" }.last == "WATCHDOG=1")
        // It holds the loop's thread up, and no other, when its next wait is over.
        let blocker = try ChildProcess(
            [
                "/usr/bin/strace", "-qq", "-o", "/dev/null", "-p", "\(daemon.process.pid)",
                "-e", "inject=epoll_wait:delay_exit=60s:when=1+",
            ])
        #expect(
            comes {
                if daemon.notify.isSilent(for: 1000) { return true }
                _ = daemon.notify.next()
                return false
            })
        blocker.signal(SIGTERM)
        _ = blocker.wait()
        #expect(daemon.notify.wait { $0 == "WATCHDOG=1" }.last == "WATCHDOG=1")
    }
}
