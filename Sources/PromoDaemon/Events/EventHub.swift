import PromoCore
import PromoWire

/// A subscriber's connection, on the loop's thread.
protocol EventReceiver: AnyObject {
    /// Whether events can be sent now without filling the output queue.
    var takesEvents: Bool { get }
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
        /// The catalog that the request named; nil for all.
        let reference: CatalogReference?
        var filter: EventFilter
        /// The number up to which every event was sent, or is not selected.
        var sent: Int

        /// About `size` bytes of the next lines.
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

    private let loop: PollLoop
    /// Returns the name of the catalog that a request means now.
    private let name: (CatalogReference) -> String?
    private let epoch: String
    private(set) var log = EventLog()
    private var subscriptions: [ObjectIdentifier: Subscription] = [:]
    private var isDeliveryDue = false
    /// The number of the latest event at the beginning of the turn.
    private var turnSeq = 0

    init(
        epoch: String, loop: PollLoop, name: @escaping (CatalogReference) -> String?
    ) {
        (self.epoch, self.loop, self.name) = (epoch, loop, name)
    }

    var subscribers: Int { subscriptions.count }

    /// Whether so many events happened in this turn that clients that would cause more have to wait for the next one.
    var isFull: Bool { !subscriptions.isEmpty && log.seq - turnSeq >= Self.burst }

    /// Whether there are events to send to a receiver.
    func owes(_ receiver: any EventReceiver) -> Bool {
        subscriptions[ObjectIdentifier(receiver)].map { $0.sent < log.seq } ?? false
    }

    /// Begins a subscription, which replaces the receiver's last one; the events that are kept after its position follow later.
    /// - Parameter catalog: the catalog that the request names; nil for all catalogs.
    func subscribe(
        _ receiver: any EventReceiver, _ parameters: SubscribeParameters, of catalog: CatalogReference? = nil
    ) throws(RequestError) -> SubscribeResult {
        let id = ObjectIdentifier(receiver)
        guard subscriptions[id] != nil || subscriptions.count < Self.maximumSubscriptions else {
            throw RequestError(
                .busy, "All \(Self.maximumSubscriptions) subscriptions are in use; try again later.")
        }
        let filter = EventFilter(
            kinds: parameters.events, host: parameters.host, catalog: catalog.map { name($0) ?? $0.text })
        let start = log.start(parameters, epoch: epoch)
        subscriptions[id] = Subscription(receiver: receiver, reference: catalog, filter: filter, sent: start)
        deliverSoon()
        return SubscribeResult(subscribed: filter.kinds, epoch: epoch, since: start)
    }

    func unsubscribe(_ receiver: any EventReceiver) {
        subscriptions[ObjectIdentifier(receiver)] = nil
    }

    // MARK: Events

    /// Numbers events, and delivers them after the loop's current work, or at once if they are many.
    func emit(_ events: [Event], at now: Timestamp) {
        for event in events {
            log.append(event, at: now)
            if (log.seq - turnSeq).isMultiple(of: Self.burst) { deliver() }
        }
        if !events.isEmpty { deliverSoon() }
    }

    /// Sends what a receiver can take; disconnects it if the log no longer has events after its position.
    func deliver(to receiver: any EventReceiver) {
        let id = ObjectIdentifier(receiver)
        // Each piece may end the subscription.
        while var subscription = subscriptions[id], subscription.sent < log.seq {
            // If the request means none any more, the last events of the one that it meant still come.
            if let name = subscription.reference.flatMap(name) { subscription.filter.catalog = name }
            // A subscriber cannot fall behind on events that it did not select.
            subscription.sent = log.skipped(after: subscription.sent, for: subscription.filter)
            subscriptions[id] = subscription
            guard log.keepsAll(after: subscription.sent) else {
                subscriptions[id] = nil
                return receiver.disconnect(lagged: Event.laggedLine(sent: subscription.sent))
            }
            guard receiver.takesEvents else { return }
            let piece = subscription.piece(of: log, about: Self.pieceBytes)
            subscriptions[id] = subscription
            if !piece.isEmpty { receiver.send(events: piece) }
        }
    }

    private func deliverSoon() {
        guard !isDeliveryDue else { return }
        isDeliveryDue = true
        loop.later { [unowned self] in deliver(to: subscriptions.values.map(\.receiver)[...], upTo: log.seq) }
    }

    /// Sends to some receivers, and to the rest after others have had their turns.
    private func deliver(to receivers: ArraySlice<any EventReceiver>, upTo seq: Int) {
        var rest = receivers
        while let next = rest.popFirst() {
            deliver(to: next)
            guard loop.isLate, !rest.isEmpty else { continue }
            return loop.later { [unowned self, rest] in deliver(to: rest, upTo: seq) }
        }
        (isDeliveryDue, turnSeq) = (false, seq)
        // Of the events that happened meanwhile, the first receivers know nothing.
        if log.seq > seq { deliverSoon() }
    }

    private func deliver() {
        for subscription in subscriptions.values { deliver(to: subscription.receiver) }
    }
}
