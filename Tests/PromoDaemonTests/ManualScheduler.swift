import PromoCore
@testable import PromoDaemon

/// A scheduler that a test runs.
final class ManualScheduler: Scheduler {
    private var soon: [() -> Void] = []
    private var timers: [(time: Milliseconds, body: () -> Void)] = []
    private var now: Milliseconds = 0

    func later(_ body: @escaping () -> Void) {
        soon.append(body)
    }

    func later(in time: Milliseconds, _ body: @escaping () -> Void) {
        timers.append((now + time, body))
    }

    /// Calls every body that is due, including those that become due meanwhile.
    func run() {
        while !soon.isEmpty {
            let bodies = soon
            soon = []
            for body in bodies { body() }
        }
    }

    /// Advances the time.
    func advanceTime(by time: Milliseconds) {
        now += time
        let due = timers.filter { $0.time <= now }
        timers.removeAll { $0.time <= now }
        for timer in due { timer.body() }
        run()
    }
}
