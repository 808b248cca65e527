import PromoDaemon
import Testing

/// Whether the service manager wants to be pinged, and how often.
struct WatchdogTests {
    @Test func aPingComesTwiceAsOftenAsTheManagerAsks() {
        #expect(Watchdog(environment: ["WATCHDOG_USEC": "300000000"], pid: 7)?.interval == .seconds(150))
        #expect(
            Watchdog(environment: ["WATCHDOG_USEC": "3", "WATCHDOG_PID": "7"], pid: 7)?.interval == .microseconds(1))
    }

    @Test(arguments: [
        [:], ["WATCHDOG_USEC": ""], ["WATCHDOG_USEC": "0"], ["WATCHDOG_USEC": "-1"], ["WATCHDOG_USEC": "soon"],
        ["WATCHDOG_USEC": "300000000", "WATCHDOG_PID": "8"], ["WATCHDOG_PID": "7"],
    ])
    func aManagerThatDoesNotAskGetsNoWatchdog(environment: [String: String]) {
        #expect(Watchdog(environment: environment, pid: 7) == nil)
    }
}
