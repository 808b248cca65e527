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

    /// Keeps the closure out of the generic `Mutex`: each read from a generic container would wrap it in one more thunk, until a
    /// call overflows the stack.
    private final class Observer: Sendable {
        let published: @Sendable (Snapshot) -> Void

        init(_ published: @escaping @Sendable (Snapshot) -> Void) {
            self.published = published
        }
    }

    private let box: Mutex<Box>
    private let latest = Atomic(0)
    private let observer = Mutex<Observer?>(nil)

    /// A publication with a first snapshot.
    package init(_ snapshot: Snapshot) {
        box = Mutex(Box(snapshot))
    }

    /// The number of the latest snapshot; comparing it is a cheap way to see whether there is a new one.
    package var serial: Int { latest.load(ordering: .acquiring) }

    /// The latest snapshot.
    package var current: Snapshot {
        box.withLock { $0 }.snapshot
    }

    /// Calls back with the current snapshot, and from then on with each new one, on the publisher's thread.
    package func observe(_ observer: @escaping @Sendable (Snapshot) -> Void) {
        self.observer.withLock { $0 = Observer(observer) }
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
        observer.withLock { $0 }?.published(numbered)
    }
}
