package import PromoCore
import Synchronization

/// Where the refresh plane hands over to the query plane: one reference, swapped.
package final class Publication: Sendable {
    private final class Box: Sendable {
        let snapshot: Snapshot

        init(_ snapshot: Snapshot) {
            self.snapshot = snapshot
        }
    }

    private let box: Mutex<Box>
    private let observer = Mutex<(@Sendable (Snapshot) -> Void)?>(nil)

    /// A publication that begins with a snapshot.
    package init(_ snapshot: Snapshot) {
        box = Mutex(Box(snapshot))
    }

    /// What was published last.
    package var current: Snapshot {
        box.withLock { $0 }.snapshot
    }

    /// Calls back with what is published now, and with each that is published from then on, on the publisher's thread.
    package func observe(_ observer: @escaping @Sendable (Snapshot) -> Void) {
        self.observer.withLock { $0 = observer }
        observer(current)
    }

    /// Publishes a snapshot, and numbers it.
    package func publish(_ next: Snapshot) {
        var numbered = next
        box.withLock { box in
            numbered.serial = box.snapshot.serial + 1
            box = Box(numbered)
        }
        observer.withLock { $0 }?(numbered)
    }
}
