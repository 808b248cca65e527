import Dispatch
import PromoWire
import Synchronization

/// The events of one socket for all services of the process, on one connection and one thread. It ends with its last subscriber.
final class EventChannel: Sendable {
    private struct Subscriber {
        let events: Set<EventKind>
        let changes: AsyncStream<Void>.Continuation
    }

    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var lastNumber = 0
        /// Whether the daemon reports events now.
        var isSubscribed = false
    }

    /// The number of failures in a row after which the daemon counts as away, and not as restarting.
    private static let failuresWhenAway = 4

    private static let open = Mutex<[String: EventChannel]>([:])

    private let socket: String
    private let interruption = Interruption()
    private let state = Mutex(State())

    private init(_ socket: String) {
        self.socket = socket
    }

    /// Reports when a client's list may have changed, until the task that iterates is cancelled: after each event of these kinds, when the
    /// subscription begins or begins again, because earlier changes were not reported, and when the daemon has been away for about half a
    /// second. Changes that occur together are reported once.
    static func changes(for client: DaemonClient, in events: Set<EventKind>) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            open.withLock { open in
                let channel = open[client.socket] ?? EventChannel(client.socket)
                if open[client.socket] == nil { channel.subscribe(client) }
                open[client.socket] = channel
                channel.add(Subscriber(events: events, changes: continuation))
            }
        }
    }

    private func add(_ subscriber: Subscriber) {
        let (number, isSubscribed) = state.withLock { state in
            state.lastNumber += 1
            state.subscribers[state.lastNumber] = subscriber
            return (state.lastNumber, state.isSubscribed)
        }
        subscriber.changes.onTermination = { _ in self.remove(number) }
        if isSubscribed { subscriber.changes.yield() }
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

    private func subscribe(_ client: DaemonClient) {
        DispatchQueue(label: "CrossPromoKit.events").async { [self] in
            var subscriber = EventSubscriber(
                client, SubscribeParameters(events: [.catalog, .icons]), waitsForDaemon: true,
                interruption: interruption)
            var failures = 0
            while let occurrence = try? subscriber.next() {
                switch occurrence {
                case .subscribed:
                    failures = 0
                    report(isSubscribed: true) { _ in true }
                case .event(let event): report(isSubscribed: true) { $0.contains(event.word) }
                case .lost:
                    failures += 1
                    let isAway = failures == Self.failuresWhenAway
                    report(isSubscribed: false) { _ in isAway }
                }
            }
        }
    }

    private func report(isSubscribed: Bool, where wants: (Set<EventKind>) -> Bool) {
        let reported = state.withLock { state in
            state.isSubscribed = isSubscribed
            return state.subscribers.values.filter { wants($0.events) }
        }
        // Outside the lock, which a subscriber needs for its removal.
        for subscriber in reported { subscriber.changes.yield() }
    }
}
