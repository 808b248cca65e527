import Dispatch
import PromoWire

/// Two timers for one moment, of which the first to fire counts: one on the wall clock, which includes suspends, and one on the
/// monotonic clock, so that a wall clock set back cannot stretch the wait. Until then they cost no wake-up.
final class RefreshTimer {
    private let wall: any DispatchSourceTimer
    private let uptime: any DispatchSourceTimer
    private var uptimeDeadline = DispatchTime.distantFuture
    /// The time to which the timers are set; nil if they are not set, or have fired.
    private var appointment: Timestamp?

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

    /// Sets the timers, or cancels them if the time is nil. The same time again changes nothing, because it would restart the wait on
    /// the monotonic clock, which a wall clock set back could then stretch.
    func set(to time: Timestamp?, now: Timestamp) {
        guard time != appointment else { return }
        appointment = time
        if let time { schedule(at: time, now: now) } else { cancel() }
    }

    /// Notes that the handler was called, so that setting the same time again takes effect.
    func fired() {
        appointment = nil
    }

    private func schedule(at time: Timestamp, now: Timestamp) {
        let delay = DispatchTimeInterval.milliseconds(Int(max((time - now).milliseconds, 0)))
        uptimeDeadline = .now() + delay
        wall.schedule(wallDeadline: .now() + delay)
        uptime.schedule(deadline: uptimeDeadline)
    }

    /// Whether the time has passed on the monotonic clock.
    var hasElapsed: Bool { .now() >= uptimeDeadline }

    private func cancel() {
        uptimeDeadline = .distantFuture
        wall.schedule(wallDeadline: .distantFuture)
        uptime.schedule(deadline: .distantFuture)
    }
}
