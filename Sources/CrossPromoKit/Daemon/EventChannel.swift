import Dispatch
import PromoWire
import Synchronization

/// The events of one socket for all services of the process, on one connection and one thread. It ends with its last subscription.
final class EventChannel: Sendable {
    /// Receives changes until it is deallocated.
    final class Subscription: Sendable {
        private let channel: EventChannel
        private let number: Int

        fileprivate init(_ channel: EventChannel, _ number: Int) {
            self.channel = channel
            self.number = number
        }

        deinit {
            channel.remove(number)
        }
    }

    private struct Subscriber {
        let events: Set<EventKind>
        let changed: @Sendable () -> Void
    }

    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var lastNumber = 0
        /// Whether the daemon reports events now.
        var isSubscribed = false
    }

    /// The number of failed connections in a row that tells a daemon that is away from one that is starting again.
    private static let failuresWhenAway = 4

    private static let open = Mutex<[String: EventChannel]>([:])

    private let socket: String
    private let interruption = Interruption()
    private let state = Mutex(State())

    private init(_ socket: String) {
        self.socket = socket
    }

    /// Subscribes to the events of a client's socket.
    /// - Parameter changed: called for each event of these kinds, when the subscription begins or begins again, because nothing has
    ///   reported what changed before, and when the daemon has been away for half a second or so.
    static func subscribe(
        _ client: DaemonClient, to events: Set<EventKind>, changed: @escaping @Sendable () -> Void
    ) -> Subscription {
        open.withLock { open in
            let channel = open[client.socket] ?? EventChannel(client.socket)
            if open[client.socket] == nil { channel.follow(client) }
            open[client.socket] = channel
            return channel.add(Subscriber(events: events, changed: changed))
        }
    }

    private func add(_ subscriber: Subscriber) -> Subscription {
        let (number, isSubscribed) = state.withLock { state in
            state.lastNumber += 1
            state.subscribers[state.lastNumber] = subscriber
            return (state.lastNumber, state.isSubscribed)
        }
        if isSubscribed { subscriber.changed() }
        return Subscription(self, number)
    }

    private func remove(_ number: Int) {
        Self.open.withLock { open in
            let isLast = state.withLock { state in
                state.subscribers[number] = nil
                return state.subscribers.isEmpty
            }
            guard isLast, open[socket] === self else { return }
            open[socket] = nil
            interruption.fire()
        }
    }

    private func follow(_ client: DaemonClient) {
        DispatchQueue(label: "CrossPromoKit.events").async { [self] in
            var follower = EventFollower(
                client, SubscribeParameters(events: [.catalog, .icons]), start: .whenThere, interruption: interruption)
            var failures = 0
            while let occurrence = try? follower.next() {
                switch occurrence {
                case .subscribed:
                    failures = 0
                    tell(isSubscribed: true) { _ in true }
                case .event(let event): tell(isSubscribed: true) { $0.contains(event.kind.word) }
                case .lost:
                    failures += 1
                    let isAway = failures == Self.failuresWhenAway
                    tell(isSubscribed: false) { _ in isAway }
                }
            }
        }
    }

    private func tell(isSubscribed: Bool, where wants: (Set<EventKind>) -> Bool) {
        let told = state.withLock { state in
            state.isSubscribed = isSubscribed
            return state.subscribers.values.filter { wants($0.events) }
        }
        // Outside the lock, which a subscriber may need to leave.
        for subscriber in told { subscriber.changed() }
    }
}
