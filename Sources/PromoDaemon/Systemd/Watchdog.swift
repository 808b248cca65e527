import Dispatch
import Glibc

/// Shows the service manager that both planes still turn: a ping goes out only after a round trip through them.
///
/// Its pings are the only wake-ups of an idle daemon. The clock is the one that pauses while the machine sleeps, as the
/// manager's does.
package final class Watchdog {
    /// A day, in microseconds.
    private static let longest: Int64 = 86_400_000_000

    /// How often a ping is sent: twice as often as the manager asks.
    package let interval: Duration
    private let queue = DispatchQueue(label: "promod.watchdog")
    private var timer: (any DispatchSourceTimer)?

    /// A watchdog, where the manager wants one of this process (sd_watchdog_enabled(3)).
    package init?(environment: [String: String], pid: Int32 = getpid()) {
        guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text), microseconds > 0 else {
            return nil
        }
        if let owner = environment["WATCHDOG_PID"], owner != String(pid) { return nil }
        interval = .microseconds(min(max(microseconds / 2, 1), Self.longest))
    }

    /// Begins.
    /// - Parameter roundTrip: goes through whatever has to turn, and calls back at its end.
    package func start(
        roundTrip: @escaping @Sendable (_ completed: @escaping @Sendable () -> Void) -> Void,
        ping: @escaping @Sendable () -> Void
    ) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let nanoseconds =
            Int(interval.components.seconds) * 1_000_000_000 + Int(interval.components.attoseconds / 1_000_000_000)
        timer.schedule(deadline: .now(), repeating: .nanoseconds(nanoseconds))
        timer.setEventHandler { roundTrip(ping) }
        timer.activate()
        self.timer = timer
    }

    /// Ends; the manager hears no more.
    package func stop() {
        timer?.cancel()
    }
}
