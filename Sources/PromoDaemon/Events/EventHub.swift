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

/// Calls back later on the same thread.
protocol Scheduler: AnyObject {
    /// Calls the body after everything that is already due.
    func later(_ body: @escaping () -> Void)
    /// Calls the body after a delay.
    func later(in time: Milliseconds, _ body: @escaping () -> Void)
}

extension PollLoop: Scheduler {
    func later(in time: Milliseconds, _ body: @escaping () -> Void) {
        schedule(at: now + time, body)
    }
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
        /// The past events that the reply has promised; the log may drop them before the receiver can take them.
        var replay: ArraySlice<(seq: Int, line: [UInt8])>
        /// The number up to which every event was sent, or is not selected.
        var sent: Int
        /// The number of the last event that was sent; at first, the number after which the subscription begins.
        var lastSent: Int

        /// About `size` bytes of the next lines; empty if there is nothing to send.
        mutating func piece(of log: EventLog, about size: Int) -> [UInt8] {
            var piece: [UInt8] = []
            while piece.count < size, let event = replay.popFirst() {
                lastSent = event.seq
                piece += event.line
            }
            while piece.count < size, sent < log.seq {
                sent += 1
                guard let line = log.line(sent, for: filter) else { continue }
                lastSent = sent
                piece += line
            }
            return piece
        }
    }

    /// The most subscriptions, each of which delays every event.
    static let maximumSubscriptions = 256
    /// The approximate size of the pieces in which lines are sent, in bytes.
    private static let pieceBytes = 32_768
    /// The number of events after which others wait for a delivery: few enough that a subscriber that reads misses none.
    private static let burst = EventLog.capacity / 4
    /// The time that subscribers in other processes have to read, in milliseconds, before deferred requests resume.
    private static let readingTime: Milliseconds = 1

    private let scheduler: any Scheduler
    private let epoch: String
    private var log = EventLog()
    private var subscriptions: [ObjectIdentifier: Subscription] = [:]
    private var isDeliveryDue = false
    /// The number of the latest event at the end of the last delivery.
    private var deliveredSeq = 0
    /// The requests that wait for a delivery, the oldest first.
    private var deferred: ArraySlice<() -> Void> = []
    /// Whether deferred requests are being resumed, or are about to be.
    private var isResuming = false
    /// Whether a deferred request runs now.
    private var isInDeferred = false

    init(scheduler: any Scheduler, epoch: String) {
        self.scheduler = scheduler
        self.epoch = epoch
    }

    var subscribers: Int { subscriptions.count }

    /// The number of the latest event.
    var seq: Int { log.seq }

    /// Whether there are events to send to a receiver.
    func owes(_ receiver: any EventReceiver) -> Bool {
        guard let subscription = subscriptions[ObjectIdentifier(receiver)] else { return false }
        return !subscription.replay.isEmpty || subscription.sent < log.seq
    }

    /// Begins a subscription, which replaces the receiver's last one; the replayed events follow later.
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
        let replay = log.replay(parameters, for: filter, epoch: epoch)
        subscriptions[id] = Subscription(
            receiver: receiver, parameters: parameters, reference: catalog?.reference, filter: filter,
            replay: log.held(after: replay.sent, for: filter)[...], sent: log.seq, lastSent: replay.sent)
        deliverSoon()
        return SubscribeResult(
            subscribed: filter.kinds, epoch: epoch, seq: log.seq, replayed: replay.count, missed: replay.missed)
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

    /// Whether a request that causes events has to wait for a delivery, and for the requests that wait already.
    var isFull: Bool { isBurst || !subscriptions.isEmpty && !deferred.isEmpty && !isInDeferred }

    private var isBurst: Bool { !subscriptions.isEmpty && log.seq - deliveredSeq >= Self.burst }

    /// Calls back after a delivery, and after the requests that have waited longer.
    func afterDelivery(_ body: @escaping () -> Void) {
        deferred.append(body)
        deliverSoon()
    }

    /// Numbers events, and delivers them after the loop's current work.
    /// - Parameter identity: that of the events' catalog; nil if it is its name.
    func emit(_ events: [Event], of identity: String? = nil, at now: Timestamp) {
        for event in events {
            log.append(event, of: identity, at: now)
            // Before a burst pushes events out of the log that a subscriber could have taken.
            if log.seq.isMultiple(of: Self.burst) {
                for id in subscriptions.keys { handOver(id) }
            }
        }
        if !events.isEmpty { deliverSoon() }
    }

    /// Sends what a receiver can take; disconnects it if the log no longer has events that it selected.
    func deliver(to receiver: any EventReceiver) {
        let id = ObjectIdentifier(receiver)
        guard let subscription = subscriptions[id] else { return }
        // A subscriber cannot fall behind on events that it did not select.
        let sent = log.skipped(after: subscription.sent, for: subscription.filter)
        subscriptions[id]?.sent = sent
        guard log.isTooFarBehind(after: sent, for: subscription.filter) else { return handOver(id) }
        if receiver.readiness != .held { drop(id, subscription) }
    }

    private func handOver(_ id: ObjectIdentifier) {
        while var subscription = subscriptions[id], subscription.receiver.readiness == .ready,
            !log.isTooFarBehind(after: subscription.sent, for: subscription.filter)
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
        scheduler.later { [unowned self] in deliver() }
    }

    private func deliver() {
        isDeliveryDue = false
        for subscription in subscriptions.values { deliver(to: subscription.receiver) }
        // The deferred requests may cause one burst together.
        guard !isResuming else { return }
        deliveredSeq = log.seq
        guard !deferred.isEmpty else { return }
        isResuming = true
        scheduler.later(in: Self.readingTime) { [unowned self] in resumeLater() }
    }

    /// Resumes one request at a time, because each may take long.
    private func resumeLater() {
        scheduler.later { [unowned self] in resumeNext() }
    }

    /// Runs the request that has waited longest, unless a delivery is needed first.
    private func resumeNext() {
        guard !isBurst, let body = deferred.popFirst() else {
            isResuming = false
            return deliverSoon()
        }
        isInDeferred = true
        body()
        isInDeferred = false
        resumeLater()
    }

    private func drop(_ id: ObjectIdentifier, _ subscription: Subscription) {
        subscriptions[id] = nil
        let unsent = log.count(subscription.sent + 1..<log.seq + 1, for: subscription.filter) ?? EventLog.capacity
        subscription.receiver.disconnect(
            lagged: Event.laggedLine(lastSent: subscription.lastSent, missed: subscription.replay.count + unsent))
    }
}
