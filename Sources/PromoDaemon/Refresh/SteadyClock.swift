package import PromoCore
package import PromoWire
import Synchronization

/// The wall clock by which ages are measured, so that nothing becomes younger when the wall clock is set back.
///
/// It compares the wall clock with the boot clock, which counts suspends too and cannot be set. A step forward counts at once, because
/// that time may have passed. After a step back it continues from the old time until ``follow(_:)``, before which every time that was
/// taken from it moves back by the step.
package final class SteadyClock: Sendable {
    /// Both clocks at one moment.
    package struct Reading: Sendable {
        package var wall: Timestamp
        package var boot: Milliseconds

        /// A reading of both clocks.
        package init(wall: Timestamp, boot: Milliseconds) {
            self.wall = wall
            self.boot = boot
        }
    }

    /// The longest step that is ignored, more than a leap second. Smaller ones add up until they are longer.
    private static let tolerance: Milliseconds = 1500

    private let read: @Sendable () -> Reading
    /// How far this clock is ahead of the boot clock.
    private let offset: Atomic<Milliseconds>
    private let isReported = Atomic(false)
    private let observer = Mutex<Callback<Void>?>(nil)

    /// A clock that shows the wall clock's time.
    package init(read: @escaping @Sendable () -> Reading) {
        self.read = read
        let reading = read()
        offset = Atomic(reading.wall.milliseconds - reading.boot)
    }

    /// The wall clock's own time.
    package var wall: Timestamp { read().wall }

    /// The time. A step back is reported.
    package func now() -> Timestamp { timeAndOffset().time }

    /// The time, and how far this clock is ahead of the boot clock. The offset changes only with a step: at once when the wall clock is
    /// set forward, and with ``follow(_:)`` after it was set back.
    package func timeAndOffset() -> (time: Timestamp, offset: Duration) {
        let (wall, before, step) = compare()
        if step < 0 {
            if !isReported.exchange(true, ordering: .relaxed) { observer.withLock { $0 }?.body(()) }
            return (wall - .milliseconds(step), .milliseconds(before))
        }
        if step > 0 { offset.store(before + step, ordering: .relaxed) }
        return (wall, .milliseconds(before + step))
    }

    /// The step that this clock has not followed yet, which is negative; nil if the wall clock was not set back.
    package func stepBack() -> Duration? {
        let step = compare().step
        if step < 0 { return .milliseconds(step) }
        isReported.store(false, ordering: .relaxed)
        return nil
    }

    /// Goes back by a step of the wall clock.
    package func follow(_ step: Duration) {
        offset.add(step.milliseconds, ordering: .relaxed)
        isReported.store(false, ordering: .relaxed)
    }

    /// Calls back on the thread that notices that the wall clock was set back, once until ``follow(_:)``.
    package func observe(_ wasSetBack: @escaping @Sendable () -> Void) {
        observer.withLock { $0 = Callback { _ in wasSetBack() } }
    }

    /// The wall clock, the offset of this clock, and the step between the two; 0 for a step within the tolerance.
    private func compare() -> (wall: Timestamp, offset: Milliseconds, step: Milliseconds) {
        let offset = offset.load(ordering: .relaxed)
        var reading = read()
        var step: Milliseconds { reading.wall.milliseconds - reading.boot - offset }
        // The thread may have been stopped between the two clocks, hardly twice in a row.
        if abs(step) > Self.tolerance { reading = read() }
        return (reading.wall, offset, abs(step) > Self.tolerance ? step : 0)
    }
}
