import Dispatch
import PromoWire

/// A timer on the wall clock, which counts suspends and follows the clock when it is set. Until it fires it costs no wake-up.
final class WallTimer {
    private let source: any DispatchSourceTimer

    init(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { handler() }
        source.schedule(wallDeadline: .distantFuture)
        source.activate()
    }

    deinit {
        source.cancel()
    }

    /// Sets the timer, or stops it if the time is nil.
    func set(to time: Timestamp?, now: Timestamp) {
        guard let time else { return source.schedule(wallDeadline: .distantFuture) }
        source.schedule(wallDeadline: .now() + .milliseconds(Int(max((time - now).milliseconds, 0))))
    }
}
