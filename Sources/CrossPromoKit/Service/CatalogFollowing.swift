import Dispatch
import PromoWire

/// Subscribes to the daemon's catalog events until it is deallocated, and reports when the list may have changed.
final class CatalogFollowing: Sendable {
    private let interruption = Interruption()
    private let task: Task<Void, Never>

    /// Subscribes.
    /// - Parameter changed: called on the main actor, one call at a time.
    @MainActor
    init(client: DaemonClient, events: [EventKind], changed: @escaping @MainActor () async -> Void) {
        let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        Self.follow(client, events, interruption, changes.continuation)
        task = Task { @MainActor in
            for await _ in changes.stream { await changed() }
        }
    }

    deinit {
        interruption.fire()
        task.cancel()
    }

    private static func follow(
        _ client: DaemonClient, _ events: [EventKind], _ interruption: Interruption,
        _ changes: AsyncStream<Void>.Continuation
    ) {
        DispatchQueue(label: "CrossPromoKit.follow").async {
            var follower = EventFollower(
                client, SubscribeParameters(events: events), start: .whenThere, interruption: interruption)
            while let occurrence = try? follower.next() {
                switch occurrence {
                // The list may have changed before the subscription, too, since nothing reported changes until then.
                case .event, .subscribed: changes.yield()
                case .lost: break
                }
            }
            changes.finish()
        }
    }
}
