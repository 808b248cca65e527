import Dispatch
import PromoSystem
import PromoWire
import Synchronization

/// All events of one socket for the clients and services of the process, on one connection and one thread. It ends with its last subscriber.
final class EventChannel: Sendable {
    /// What the channel reports to its subscribers.
    enum Report: Sendable {
        /// Events are reported from now on; how many were missed since the last one, nil if that is unknown.
        case subscribed(missed: Int?)
        case event(Event)
        /// The connection failed this many times in a row.
        case lost(PromoError, failures: Int)
    }

    private struct Subscriber: Sendable {
        let kinds: Set<EventKind>
        let take: @Sendable (Report) -> Void
    }

    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var lastNumber = 0
        /// How the connection stands; nil before the first report.
        var standing: Report?
    }

    private static let open = Guarded<[String: EventChannel]>([:])

    private let socket: String
    private let state = Guarded(State())
    /// Ends the subscription.
    private let interruption = Interruption()

    private init(_ socket: String) {
        self.socket = socket
    }

    /// A stream of what a closure makes of the reports about events of these kinds, until the task that iterates is cancelled.
    static func stream<Element>(
        for client: DaemonClient, _ kinds: Set<EventKind>,
        _ policy: AsyncStream<Element>.Continuation.BufferingPolicy,
        _ take: @escaping @Sendable (Report, AsyncStream<Element>.Continuation) -> Void
    ) -> AsyncStream<Element> {
        AsyncStream(bufferingPolicy: policy) { continuation in
            open.withLock { open in
                let channel = open[client.socket] ?? EventChannel(client.socket)
                let number = channel.add(Subscriber(kinds: kinds) { take($0, continuation) })
                continuation.onTermination = { _ in channel.remove(number) }
                if open[client.socket] == nil { channel.subscribe(client) }
                open[client.socket] = channel
            }
        }
    }

    private func add(_ subscriber: Subscriber) -> Int {
        let (number, standing) = state.withLock { state in
            state.lastNumber += 1
            state.subscribers[state.lastNumber] = subscriber
            return (state.lastNumber, state.standing)
        }
        switch standing {
        case .subscribed: subscriber.take(.subscribed(missed: 0))
        case .lost(let error, _): subscriber.take(.lost(error, failures: 1))
        case .event, nil: break
        }
        return number
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
                client, SubscribeParameters(), waitsForDaemon: true, interruption: interruption)
            var failures = 0
            while let occurrence = try? subscriber.next() {
                switch occurrence {
                case .subscribed(let result, let asked):
                    failures = 0
                    report(.subscribed(missed: result.missed(by: asked)))
                case .event(let event, _): report(.event(event))
                case .lost(let error):
                    failures += 1
                    report(.lost(error, failures: failures))
                }
            }
        }
    }

    private func report(_ report: Report) {
        let subscribers = state.withLock { state in
            if case .event(let event) = report {
                return state.subscribers.values.filter { $0.kinds.contains(event.kind) }
            }
            state.standing = report
            return Array(state.subscribers.values)
        }
        // Outside the lock, which a subscriber needs for its removal.
        for subscriber in subscribers { subscriber.take(report) }
    }
}

extension SubscribeResult {
    /// How many events a subscriber has missed before this subscription; nil if that is unknown, because promod was started again.
    func missed(by asked: SubscribeParameters) -> Int? {
        guard let before = asked.since else { return 0 }
        return asked.epoch == epoch ? max(since, 0) - max(before, 0) : nil
    }
}

extension EventChannel {
    /// What a list may have to be loaded for.
    enum Change: Sendable {
        /// It may be another one.
        case changed
        /// promod does not answer at first, or for about half a second, longer than a restart takes.
        case away(PromoError)
    }

    private static let failuresWhenAway = 4

    /// Reports when the list may have changed: after each event of these kinds, and when the subscription begins, because earlier changes
    /// were not reported. Changes that occur together are reported once.
    static func changes(for client: DaemonClient, in kinds: Set<EventKind>) -> AsyncStream<Change> {
        let wasSubscribed = Atomic(false)
        return stream(for: client, kinds, .bufferingNewest(1)) { report, changes in
            switch report {
            case .subscribed:
                wasSubscribed.store(true, ordering: .relaxed)
                changes.yield(.changed)
            case .event: changes.yield(.changed)
            case .lost(let error, let failures):
                let enough = wasSubscribed.load(ordering: .relaxed) ? failuresWhenAway : 1
                if failures == enough { changes.yield(.away(error)) }
            }
        }
    }
}
