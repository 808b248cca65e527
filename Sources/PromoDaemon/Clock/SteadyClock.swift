package import PromoCore
package import PromoWire
import Synchronization

/// The wall clock by which ages are measured. Nothing becomes younger when the wall clock is set back.
///
/// It is compared with the boot clock, which counts suspends too and which nobody can set. Set forward, it shows the new time at once:
/// perhaps that time did pass. Set back, it goes on from the old time until ``follow()``, before which all that was timed by it is moved.
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

        /// How far the wall clock is ahead of the boot clock.
        fileprivate var offset: Milliseconds { wall.milliseconds - boot }
    }

    private final class Observer: Sendable {
        let wasSetBack: @Sendable () -> Void

        init(_ wasSetBack: @escaping @Sendable () -> Void) {
            self.wasSetBack = wasSetBack
        }
    }

    /// The longest step that is ignored: a leap second. Smaller ones add up until they are longer.
    private static let tolerance: Milliseconds = 1000

    private let read: @Sendable () -> Reading
    private let latest: Atomic<Milliseconds>
    private let isReported = Atomic(false)
    private let observer = Mutex<Observer?>(nil)

    /// A clock that shows the wall clock's time.
    package init(read: @escaping @Sendable () -> Reading) {
        self.read = read
        latest = Atomic(read().offset)
    }

    /// How far this clock is ahead of the boot clock. It changes only with a step: at once when the wall clock is set forward, and with
    /// ``follow()`` after it was set back.
    package var offset: Duration { .milliseconds(latest.load(ordering: .relaxed)) }

    /// The time. A step back is reported.
    package func now() -> Timestamp {
        let (reading, step) = compare()
        if step < -Self.tolerance {
            report()
            return Timestamp(milliseconds: reading.wall.milliseconds - step)
        }
        if step > Self.tolerance { latest.store(reading.offset, ordering: .relaxed) }
        return reading.wall
    }

    /// Shows the wall clock's time from now on, however it was set.
    /// - Returns: the step, which is negative, if it was set back.
    package func follow() -> Duration? {
        let (reading, step) = compare()
        if abs(step) > Self.tolerance { latest.store(reading.offset, ordering: .relaxed) }
        isReported.store(false, ordering: .relaxed)
        return step < -Self.tolerance ? .milliseconds(step) : nil
    }

    /// Calls back on the thread that notices that the wall clock was set back, once until ``follow()``.
    package func observe(_ wasSetBack: @escaping @Sendable () -> Void) {
        observer.withLock { $0 = Observer(wasSetBack) }
    }

    /// Reads the clocks, and how far the wall clock was set since the latest step.
    private func compare() -> (Reading, step: Milliseconds) {
        let before = latest.load(ordering: .relaxed)
        let reading = read()
        guard abs(reading.offset - before) > Self.tolerance else { return (reading, reading.offset - before) }
        // The thread may have been stopped between the two clocks; hardly twice in a row.
        let again = read()
        return (again, again.offset - before)
    }

    private func report() {
        guard !isReported.exchange(true, ordering: .relaxed) else { return }
        observer.withLock { $0 }?.wasSetBack()
    }
}
