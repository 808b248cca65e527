import Dispatch
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// The two timers of a refresh, seen by whether their time has passed on the monotonic clock.
struct RefreshTimerTests {
    private let due = Timestamp(seconds: 1_800_000_000)
    private let timer = RefreshTimer(queue: DispatchQueue(label: "test")) {}

    /// A wall clock that was set back must not stretch a wait.
    @Test func theSameTimeAgainChangesNothing() {
        timer.set(to: due, now: due)
        timer.set(to: due, now: due - .seconds(3600))
        #expect(timer.hasElapsed)
    }

    @Test func anotherTimeAndTheSameOneAfterTheHandlerAreWaitedFor() {
        timer.set(to: due, now: due)
        timer.fired()
        timer.set(to: due, now: due - .seconds(3600))
        #expect(!timer.hasElapsed)
        timer.set(to: due - .seconds(3600), now: due)
        #expect(timer.hasElapsed)
    }

    @Test func withoutATimeNothingIsDue() {
        timer.set(to: due, now: due)
        timer.set(to: nil, now: due)
        #expect(!timer.hasElapsed)
    }

    @Test func aTimeThatHasPassedCallsTheHandler() {
        let called = DispatchSemaphore(value: 0)
        let timer = RefreshTimer(queue: DispatchQueue(label: "test")) { called.signal() }
        timer.set(to: due, now: due + .seconds(1))
        #expect(called.wait(timeout: .now() + .seconds(60)) == .success)
    }
}
