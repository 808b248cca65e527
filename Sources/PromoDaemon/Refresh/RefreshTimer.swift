import Dispatch
import PromoWire

/// Two timers for one moment: one on the wall clock, which counts sleep, and one on the clock that nobody can set, so that a
/// clock set back cannot stretch the wait. Whichever comes first counts, and idle they cost no wake-up.
final class RefreshTimer {
    private let wall: any DispatchSourceTimer
    private let uptime: any DispatchSourceTimer
    private var uptimeDeadline = DispatchTime.distantFuture

    /// Calls the handler on the queue when one of the clocks says so.
    init(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
        wall = DispatchSource.makeTimerSource(queue: queue)
        uptime = DispatchSource.makeTimerSource(queue: queue)
        wall.setEventHandler { handler() }
        uptime.setEventHandler { handler() }
        wall.schedule(wallDeadline: .distantFuture)
        uptime.schedule(deadline: .distantFuture)
        wall.activate()
        uptime.activate()
    }

    deinit {
        wall.cancel()
        uptime.cancel()
    }

    func schedule(at time: Timestamp, now: Timestamp) {
        let delay = DispatchTimeInterval.milliseconds(Int(max((time - now).milliseconds, 0)))
        uptimeDeadline = .now() + delay
        wall.schedule(wallDeadline: .now() + delay)
        uptime.schedule(deadline: uptimeDeadline)
    }

    /// Whether the time passed on the clock that nobody can set.
    var hasElapsed: Bool { .now() >= uptimeDeadline }

    func cancel() {
        uptimeDeadline = .distantFuture
        wall.schedule(wallDeadline: .distantFuture)
        uptime.schedule(deadline: .distantFuture)
    }
}
