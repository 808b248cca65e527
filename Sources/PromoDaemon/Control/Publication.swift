package import PromoCore
import Synchronization

/// Passes snapshots from the control plane to the query plane by swapping one reference.
package final class Publication: Sendable {
    private final class Box: Sendable {
        let snapshot: Snapshot

        init(_ snapshot: Snapshot) {
            self.snapshot = snapshot
        }
    }

    private let box: Mutex<Box>
    private let latest = Atomic(0)
    private let observer = Mutex<Callback<Snapshot>?>(nil)

    /// A publication with a first snapshot.
    package init(_ snapshot: Snapshot) {
        box = Mutex(Box(snapshot))
    }

    /// The number of the latest snapshot, which costs less to read than the snapshot.
    package var serial: Int { latest.load(ordering: .acquiring) }

    /// The latest snapshot.
    package var current: Snapshot {
        box.withLock { $0 }.snapshot
    }

    /// Calls back with the current snapshot, and from then on with each new one, on the publisher's thread.
    package func observe(_ observer: @escaping @Sendable (Snapshot) -> Void) {
        self.observer.withLock { $0 = Callback(observer) }
        observer(current)
    }

    /// Publishes a snapshot, and numbers it.
    package func publish(_ next: Snapshot) {
        var numbered = next
        box.withLock { box in
            numbered.serial = box.snapshot.serial + 1
            box = Box(numbered)
            latest.store(numbered.serial, ordering: .releasing)
        }
        observer.withLock { $0 }?.body(numbered)
    }
}
