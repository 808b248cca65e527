package import PromoCore
package import PromoWire
import Synchronization

/// The wall clock by which ages are measured. Nothing becomes younger when the wall clock is set back.
///
/// It is compared with the boot clock, which counts suspends too and which nobody can set. Set forward, it shows the new time at once:
/// perhaps that time did pass. Set back, it goes on from the old time until ``follow(_:)``, before which all that was timed by it is
/// moved.
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

    /// The longest step that is ignored, more than a leap second. Smaller ones add up until they are longer.
    private static let tolerance: Milliseconds = 1500

    private let read: @Sendable () -> Reading
    private let latest: Atomic<Milliseconds>
    private let isReported = Atomic(false)
    private let observer = Mutex<Observer?>(nil)

    /// A clock that shows the wall clock's time.
    package init(read: @escaping @Sendable () -> Reading) {
        self.read = read
        latest = Atomic(read().offset)
    }

    /// The wall clock's own time.
    package var wall: Timestamp { read().wall }

    /// The time. A step back is reported.
    package func now() -> Timestamp { timeAndOffset().time }

    /// The time, and how far this clock is ahead of the boot clock. The offset changes only with a step: at once when the wall clock is
    /// set forward, and with ``follow(_:)`` after it was set back.
    package func timeAndOffset() -> (time: Timestamp, offset: Duration) {
        let (reading, before) = compare()
        let step = reading.offset - before
        if step < -Self.tolerance {
            report()
            return (Timestamp(milliseconds: reading.boot + before), .milliseconds(before))
        }
        guard step > Self.tolerance else { return (reading.wall, .milliseconds(before)) }
        latest.store(reading.offset, ordering: .relaxed)
        return (reading.wall, .milliseconds(reading.offset))
    }

    /// The step that this clock has not followed yet, which is negative; nil if the wall clock was not set back.
    package func stepBack() -> Duration? {
        let (reading, before) = compare()
        guard reading.offset - before < -Self.tolerance else {
            isReported.store(false, ordering: .relaxed)
            return nil
        }
        return .milliseconds(reading.offset - before)
    }

    /// Goes back by a step of the wall clock.
    package func follow(_ step: Duration) {
        latest.add(step.milliseconds, ordering: .relaxed)
        isReported.store(false, ordering: .relaxed)
    }

    /// Calls back on the thread that notices that the wall clock was set back, once until ``follow(_:)``.
    package func observe(_ wasSetBack: @escaping @Sendable () -> Void) {
        observer.withLock { $0 = Observer(wasSetBack) }
    }

    /// Reads the clocks, and the offset of the latest step.
    private func compare() -> (Reading, before: Milliseconds) {
        let before = latest.load(ordering: .relaxed)
        let reading = read()
        guard abs(reading.offset - before) > Self.tolerance else { return (reading, before) }
        // The thread may have been stopped between the two clocks; hardly twice in a row.
        return (read(), before)
    }

    private func report() {
        guard !isReported.exchange(true, ordering: .relaxed) else { return }
        observer.withLock { $0 }?.wasSetBack()
    }
}
