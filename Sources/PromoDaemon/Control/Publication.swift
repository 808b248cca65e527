package import PromoCore
import Synchronization

/// Where the control plane hands over to the query plane: one reference, swapped.
package final class Publication: Sendable {
    private final class Box: Sendable {
        let snapshot: Snapshot

        init(_ snapshot: Snapshot) {
            self.snapshot = snapshot
        }
    }

    /// A closure that is read out of a generic container comes wrapped in one more thunk at each read, until a call of it ends the
    /// stack; out of a class it comes as it is.
    private final class Observer: Sendable {
        let published: @Sendable (Snapshot) -> Void

        init(_ published: @escaping @Sendable (Snapshot) -> Void) {
            self.published = published
        }
    }

    private let box: Mutex<Box>
    private let latest = Atomic(0)
    private let observer = Mutex<Observer?>(nil)

    /// A publication that begins with a snapshot.
    package init(_ snapshot: Snapshot) {
        box = Mutex(Box(snapshot))
    }

    /// The number of what was published last, which tells at once whether it is something else.
    package var serial: Int { latest.load(ordering: .acquiring) }

    /// What was published last.
    package var current: Snapshot {
        box.withLock { $0 }.snapshot
    }

    /// Calls back with what is published now, and with each that is published from then on, on the publisher's thread.
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
