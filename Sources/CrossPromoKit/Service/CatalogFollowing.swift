import Dispatch
import PromoWire

/// Follows the daemon's catalog events as long as it lives, and says when the list may have changed.
final class CatalogFollowing: Sendable {
    private let interruption = Interruption()
    private let task: Task<Void, Never>

    /// - Parameter changed: called on the main actor, one call after the other.
    @MainActor
    init(client: DaemonClient, changed: @escaping @MainActor () async -> Void) {
        let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        Self.follow(client, interruption, changes.continuation)
        task = Task { @MainActor in
            for await _ in changes.stream { await changed() }
        }
    }

    deinit {
        interruption.fire()
        task.cancel()
    }

    private static func follow(
        _ client: DaemonClient, _ interruption: Interruption, _ changes: AsyncStream<Void>.Continuation
    ) {
        DispatchQueue(label: "CrossPromoKit.follow").async {
            var follower = EventFollower(
                client, SubscribeParameters(events: [.catalog]), start: .whenThere, interruption: interruption)
            while let occurrence = try? follower.next() {
                switch occurrence {
                // What happened before a subscription is not known, the time since the first list included.
                case .event, .subscribed: changes.yield()
                case .lost: break
                }
            }
            changes.finish()
        }
    }
}
