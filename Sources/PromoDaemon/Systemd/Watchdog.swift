import Dispatch
import Glibc

/// Shows the service manager that the loop is alive, by a ping after each round trip through it.
///
/// The pings are the only wake-ups of an idle daemon. Like the manager's clock, the timer's pauses during a suspend.
package final class Watchdog {
    /// A day, in microseconds.
    private static let longest: Int64 = 86_400_000_000

    /// The interval of the pings, half of the manager's timeout.
    package let interval: Duration
    private let queue = DispatchQueue(label: "promod.watchdog")
    private var timer: (any DispatchSourceTimer)?

    /// A watchdog; nil if the manager does not expect pings from this process (sd_watchdog_enabled(3)).
    package init?(environment: [String: String], pid: Int32 = getpid()) {
        guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text), microseconds > 0 else {
            return nil
        }
        if let owner = environment["WATCHDOG_PID"], owner != String(pid) { return nil }
        interval = .microseconds(min(max(microseconds / 2, 1), Self.longest))
    }

    /// Starts the pings.
    /// - Parameter ping: passes through the loop, and then pings.
    package func start(_ ping: @escaping @Sendable () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: interval / .seconds(1))
        timer.setEventHandler { ping() }
        timer.activate()
        self.timer = timer
    }

    /// Stops the pings.
    package func stop() {
        timer?.cancel()
    }
}
