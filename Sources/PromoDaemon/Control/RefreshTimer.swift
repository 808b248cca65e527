import Dispatch
import PromoWire

/// Two timers for one moment: one on the wall clock, which counts sleep, and one on the clock that nobody can set, so that a
/// clock set back cannot stretch the wait. Whichever comes first counts, and idle they cost no wake-up.
final class RefreshTimer {
    private let wall: any DispatchSourceTimer
    private let uptime: any DispatchSourceTimer
    private var uptimeDeadline = DispatchTime.distantFuture
    /// What it is set to.
    private var appointment: Timestamp?

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

    /// Sets the timer, or cancels it. Setting it again to the same time changes nothing: that would begin the wait anew on the clock
    /// that nobody can set, and a wall clock that was set back could stretch it.
    func set(to time: Timestamp?, now: Timestamp) {
        guard time != appointment else { return }
        appointment = time
        if let time { schedule(at: time, now: now) } else { cancel() }
    }

    /// The handler was called: the next time counts even if it is the same.
    func fired() {
        appointment = nil
    }

    private func schedule(at time: Timestamp, now: Timestamp) {
        let delay = DispatchTimeInterval.milliseconds(Int(max((time - now).milliseconds, 0)))
        uptimeDeadline = .now() + delay
        wall.schedule(wallDeadline: .now() + delay)
        uptime.schedule(deadline: uptimeDeadline)
    }

    /// Whether the time passed on the clock that nobody can set.
    var hasElapsed: Bool { .now() >= uptimeDeadline }

    private func cancel() {
        uptimeDeadline = .distantFuture
        wall.schedule(wallDeadline: .distantFuture)
        uptime.schedule(deadline: .distantFuture)
    }
}
