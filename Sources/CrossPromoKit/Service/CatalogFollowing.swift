import PromoWire

/// Reports when the list may have changed, until it is deallocated.
final class CatalogFollowing: Sendable {
    private let subscription: EventChannel.Subscription
    private let task: Task<Void, Never>

    /// Subscribes to the daemon's events.
    /// - Parameter changed: called on the main actor, one call at a time.
    @MainActor
    init(client: DaemonClient, events: Set<EventKind>, changed: @escaping @MainActor () async -> Void) {
        let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        subscription = EventChannel.subscribe(client, to: events) { changes.continuation.yield() }
        let stream = changes.stream
        task = Task(executorPreference: PromoExecutor.shared) { await Self.report(stream, to: changed) }
    }

    deinit {
        task.cancel()
    }

    @MainActor
    private static func report(_ changes: AsyncStream<Void>, to changed: @MainActor () async -> Void) async {
        for await _ in changes { await changed() }
    }
}
