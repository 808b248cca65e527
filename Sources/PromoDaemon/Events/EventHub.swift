import PromoCore
import PromoWire

/// A subscriber's connection, on the loop's thread.
protocol EventReceiver: AnyObject {
    /// Whether events can be sent now without filling the output queue.
    var readiness: EventReadiness { get }
    /// Sends whole lines.
    func send(events: [UInt8])
    /// Sends a last line, and disconnects.
    func disconnect(lagged: [UInt8])
}

/// Delivers events to subscribers. A subscription is a position in one shared log, so a slow subscriber costs no memory and
/// delays no other.
final class EventHub {
    private struct Subscription {
        let receiver: any EventReceiver
        /// The parameters of the request that began it, and the catalog that it named.
        let parameters: SubscribeParameters
        let reference: CatalogReference?
        var filter: EventFilter
        /// The number up to which every event was sent, or is not selected.
        var sent: Int

        /// About `size` bytes of the next lines; empty if there is nothing to send.
        mutating func piece(of log: EventLog, about size: Int) -> [UInt8] {
            var piece: [UInt8] = []
            while piece.count < size, sent < log.seq {
                sent += 1
                if let line = log.line(sent, for: filter) { piece += line }
            }
            return piece
        }
    }

    /// The most subscriptions, each of which delays every event.
    static let maximumSubscriptions = 256
    /// The approximate size of the pieces in which lines are sent, in bytes.
    private static let pieceBytes = 32_768
    /// The number of events after which they are delivered at once: few enough that a subscriber that takes them misses none.
    private static let burst = EventLog.capacity / 4

    /// Calls a closure after the loop's current work.
    private let later: (@escaping () -> Void) -> Void
    private let epoch: String
    private var log = EventLog()
    private var subscriptions: [ObjectIdentifier: Subscription] = [:]
    private var isDeliveryDue = false
    /// The number of the latest event at the beginning of the turn.
    private var turnSeq = 0

    init(epoch: String, later: @escaping (@escaping () -> Void) -> Void) {
        (self.epoch, self.later) = (epoch, later)
    }

    var subscribers: Int { subscriptions.count }
    /// The number of the latest event.
    var seq: Int { log.seq }

    /// Whether so many events happened in this turn that clients that would cause more have to wait for the next one.
    var isFull: Bool { !subscriptions.isEmpty && log.seq - turnSeq >= Self.burst }

    /// Whether there are events to send to a receiver.
    func owes(_ receiver: any EventReceiver) -> Bool {
        subscriptions[ObjectIdentifier(receiver)].map { $0.sent < log.seq } ?? false
    }

    /// Begins a subscription, which replaces the receiver's last one; the events that are kept after its position follow later.
    /// - Parameter catalog: the catalog that the request names, with its identity; nil for all catalogs.
    func subscribe(
        _ receiver: any EventReceiver, _ parameters: SubscribeParameters,
        of catalog: (reference: CatalogReference, identity: String)? = nil, limit: Int = maximumSubscriptions
    ) throws(RequestError) -> SubscribeResult {
        let id = ObjectIdentifier(receiver)
        guard subscriptions[id] != nil || subscriptions.count < limit else {
            throw RequestError(
                .busy, "All \(limit) subscriptions are in use; try again later.")
        }
        let filter = EventFilter(parameters, of: catalog?.identity)
        let start = log.start(parameters, epoch: epoch)
        subscriptions[id] = Subscription(
            receiver: receiver, parameters: parameters, reference: catalog?.reference, filter: filter, sent: start)
        deliverSoon()
        return SubscribeResult(subscribed: filter.kinds, epoch: epoch, since: start)
    }

    /// Has each subscription select the events of the catalog that its request means now.
    /// - Parameter identity: that of the catalog; nil if there is none, whose last events the subscription still gets.
    /// - Returns: the identities of the catalogs that some subscriptions did not mean before.
    func resolve(_ identity: (CatalogReference) -> String?) -> Set<String> {
        var meant: Set<String> = []
        for (id, subscription) in subscriptions {
            guard let identity = subscription.reference.flatMap(identity), identity != subscription.filter.catalog
            else { continue }
            handOver(id)
            subscriptions[id]?.filter = EventFilter(subscription.parameters, of: identity)
            meant.insert(identity)
        }
        return meant
    }

    func unsubscribe(_ receiver: any EventReceiver) {
        subscriptions[ObjectIdentifier(receiver)] = nil
    }

    // MARK: Events

    /// Numbers events, and delivers them after the loop's current work, or at once if they are many.
    /// - Parameter identity: that of the events' catalog; nil if it is its name.
    func emit(_ events: [Event], of identity: String? = nil, at now: Timestamp) {
        for event in events {
            log.append(event, of: identity, at: now)
            if (log.seq - turnSeq).isMultiple(of: Self.burst) { deliver() }
        }
        if !events.isEmpty { deliverSoon() }
    }

    /// Sends what a receiver can take; disconnects it if the log no longer has events after its position.
    func deliver(to receiver: any EventReceiver) {
        let id = ObjectIdentifier(receiver)
        guard var subscription = subscriptions[id] else { return }
        // A subscriber cannot fall behind on events that it did not select.
        subscription.sent = log.skipped(after: subscription.sent, for: subscription.filter)
        subscriptions[id] = subscription
        if log.keepsAll(after: subscription.sent) { return handOver(id) }
        guard receiver.readiness != .held else { return }
        subscriptions[id] = nil
        receiver.disconnect(lagged: Event.laggedLine(sent: subscription.sent))
    }

    private func handOver(_ id: ObjectIdentifier) {
        while var subscription = subscriptions[id], subscription.receiver.readiness == .ready,
            log.keepsAll(after: subscription.sent)
        {
            let piece = subscription.piece(of: log, about: Self.pieceBytes)
            subscriptions[id] = subscription
            guard !piece.isEmpty else { return }
            subscription.receiver.send(events: piece)
        }
    }

    private func deliverSoon() {
        guard !isDeliveryDue else { return }
        isDeliveryDue = true
        later { [unowned self] in
            isDeliveryDue = false
            deliver()
            turnSeq = log.seq
        }
    }

    private func deliver() {
        for subscription in subscriptions.values { deliver(to: subscription.receiver) }
    }
}
