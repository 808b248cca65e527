import Dispatch
import PromoWire

/// Two timers for one moment: one on the wall clock, which counts sleep, and one on the clock that nobody can set, so that a
/// clock set back cannot stretch the wait. Whichever comes first counts, and idle they cost no wake-up.
final class RefreshTimer {
    private let wall: any DispatchSourceTimer
    private let uptime: any DispatchSourceTimer

    /// Calls the handler on the queue; `elapsed` is true when the time passed on the clock that nobody can set.
    init(queue: DispatchQueue, handler: @escaping @Sendable (_ elapsed: Bool) -> Void) {
        wall = DispatchSource.makeTimerSource(queue: queue)
        uptime = DispatchSource.makeTimerSource(queue: queue)
        wall.setEventHandler { handler(false) }
        uptime.setEventHandler { handler(true) }
        cancel()
        wall.activate()
        uptime.activate()
    }

    deinit {
        wall.cancel()
        uptime.cancel()
    }

    func schedule(at time: Timestamp, now: Timestamp) {
        let delay = DispatchTimeInterval.milliseconds(Int(max((time - now).milliseconds, 0)))
        wall.schedule(wallDeadline: .now() + delay)
        uptime.schedule(deadline: .now() + delay)
    }

    func cancel() {
        wall.schedule(wallDeadline: .distantFuture)
        uptime.schedule(deadline: .distantFuture)
    }
}
