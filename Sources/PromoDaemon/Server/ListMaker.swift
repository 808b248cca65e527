import Dispatch
import PromoCore
import PromoWire

/// Has jobs make what lists wait for, once for all who wait for the same. It belongs to the loop's thread.
final class ListMaker {
    /// A queue of its own, so that no list waits for a disk or a fetched catalog.
    let queue = DispatchQueue(label: "promod.lists")
    /// The languages of the lists that clients have asked for, and promod's own: a new catalog comes with its rows in these.
    private(set) var languages: Set<TaglineLanguage>
    private unowned let keeper: Keeper
    private var waiters: [ListOrder.Key: [(ListSource) -> Void]] = [:]

    init(_ keeper: Keeper) {
        self.keeper = keeper
        languages = [.one(Language(environment: keeper.effects.environment))]
    }

    /// Calls back in the loop when the list's source is made.
    func make(_ order: ListOrder, then done: @escaping (ListSource) -> Void) {
        languages.insert(order.key.language)
        waiters[order.key, default: []].append(done)
        guard waiters[order.key]?.count == 1 else { return }
        queue.async { [inbox = keeper.inbox] in
            let source = order.make()
            inbox.submit { $0.lists.made(source, of: order.key) }
        }
    }

    /// Calls everybody who waits back; other clients have their turns between them.
    private func made(_ source: ListSource, of key: ListOrder.Key) {
        for done in waiters.removeValue(forKey: key) ?? [] { keeper.loop.later { done(source) } }
    }
}
