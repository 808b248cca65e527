import NIOCore
import PromoCore
import PromoWire

/// Whoever receives the lines of events, on the event loop.
protocol EventReceiver: AnyObject {
    /// Whether a line could go out now without piling up.
    var takesEvents: Bool { get }
    /// Sends whole lines.
    func send(events: [UInt8])
    /// Sends the last line, and disconnects.
    func disconnect(lagged: [UInt8])
}

/// Hands events to those who follow them. A subscriber is a place in the one log, so a slow one costs no memory, and nobody
/// waits for it.
final class EventHub {
    private struct Subscription {
        let receiver: any EventReceiver
        let filter: EventFilter
        /// It was sent, or did not select, everything up to this number.
        var sent: Int
        /// The number of the last event that it was sent, or of the latest when it began.
        var lastSent: Int
    }

    /// Lines are handed over in pieces of about this size.
    private static let pieceBytes = 32_768

    private let eventLoop: any EventLoop
    private let epoch: String
    private var log = EventLog()
    private var subscriptions: [ObjectIdentifier: Subscription] = [:]
    private var isDeliveryDue = false
    /// What the last catalog event said.
    private var catalog: Event?

    init(eventLoop: any EventLoop, epoch: String) {
        self.eventLoop = eventLoop
        self.epoch = epoch
    }

    var subscribers: Int { subscriptions.count }

    /// The number of the latest event.
    var seq: Int { log.seq }

    func follows(_ receiver: any EventReceiver) -> Bool {
        subscriptions[ObjectIdentifier(receiver)] != nil
    }

    /// Whether a receiver still has to be handed something.
    func owes(_ receiver: any EventReceiver) -> Bool {
        (subscriptions[ObjectIdentifier(receiver)]?.sent ?? log.seq) < log.seq
    }

    /// Begins a subscription, in place of the receiver's last one; what is replayed follows later.
    func subscribe(
        _ receiver: any EventReceiver, _ parameters: SubscribeParameters, limit: Int
    ) throws(RequestError) -> SubscribeResult {
        let id = ObjectIdentifier(receiver)
        guard subscriptions[id] != nil || subscriptions.count < limit else {
            throw RequestError(.busy, "All \(limit) subscriptions are taken (socket.max-subscribers); try later.")
        }
        let filter = EventFilter(kinds: parameters.events, host: parameters.host)
        let replay = log.replay(parameters, epoch: epoch)
        subscriptions[id] = Subscription(receiver: receiver, filter: filter, sent: replay.sent, lastSent: replay.sent)
        deliverSoon()
        return SubscribeResult(
            subscribed: filter.kinds, epoch: epoch, seq: log.seq, replayed: replay.count, missed: replay.missed)
    }

    func unsubscribe(_ receiver: any EventReceiver) {
        subscriptions[ObjectIdentifier(receiver)] = nil
    }

    /// Numbers events and hands them over when the event loop has done what it is at.
    func emit(_ events: [Event], at now: Timestamp) {
        for event in events {
            log.append(event, at: now)
            for id in subscriptions.keys { dropIfTooFarBehind(id) }
            // In time: what a burst has pushed out of the log is lost to those who could have taken it.
            if log.seq.isMultiple(of: EventLog.capacity / 4) { deliver() }
        }
        if !events.isEmpty { deliverSoon() }
    }

    /// Emits a catalog event where it says something new; the first thing that is ever published is no news.
    func catalogPublished(_ freshness: Freshness, at now: Timestamp) {
        let event = Event.catalog(state: freshness.state, generation: freshness.generation)
        defer { catalog = event }
        if let catalog, catalog != event { emit([event], at: now) }
    }

    /// Hands over what a receiver can take.
    func deliver(to receiver: any EventReceiver) {
        let id = ObjectIdentifier(receiver)
        while var subscription = subscriptions[id], subscription.sent < log.seq, receiver.takesEvents {
            var lines: [UInt8] = []
            while subscription.sent < log.seq, lines.count < Self.pieceBytes {
                subscription.sent += 1
                guard subscription.sent >= log.firstHeld,
                    let line = log.line(subscription.sent, for: subscription.filter)
                else { continue }
                subscription.lastSent = subscription.sent
                lines += line
            }
            subscriptions[id] = subscription
            if !lines.isEmpty { receiver.send(events: lines) }
        }
    }

    private func deliver() {
        for subscription in subscriptions.values { deliver(to: subscription.receiver) }
    }

    private func deliverSoon() {
        guard !isDeliveryDue else { return }
        isDeliveryDue = true
        eventLoop.assumeIsolated().execute { [self] in
            isDeliveryDue = false
            deliver()
        }
    }

    private func dropIfTooFarBehind(_ id: ObjectIdentifier) {
        guard let subscription = subscriptions[id] else { return }
        if subscription.sent == log.seq - 1 && log.line(log.seq, for: subscription.filter) == nil {
            // What is not selected puts nobody behind.
            subscriptions[id]?.sent = log.seq
            return
        }
        guard log.isTooFarBehind(after: subscription.sent, for: subscription.filter) else { return }
        // It may only not have had its turn.
        deliver(to: subscription.receiver)
        guard let late = subscriptions[id], log.isTooFarBehind(after: late.sent, for: late.filter) else { return }
        drop(id, late)
    }

    private func drop(_ id: ObjectIdentifier, _ subscription: Subscription) {
        subscriptions[id] = nil
        let missed = log.count(subscription.sent + 1..<log.seq + 1, for: subscription.filter) ?? EventLog.capacity
        subscription.receiver.disconnect(lagged: Event.laggedLine(lastSent: subscription.lastSent, missed: missed))
    }
}
