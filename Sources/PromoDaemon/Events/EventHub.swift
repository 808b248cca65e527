import PromoCore
import PromoWire

/// A subscriber's connection, on the loop's thread.
protocol EventReceiver: AnyObject {
    /// Whether lines can be sent now without piling up.
    var readiness: EventReadiness { get }
    /// Sends whole lines.
    func send(events: [UInt8])
    /// Sends the last line, and disconnects.
    func disconnect(lagged: [UInt8])
}

/// Calls back later on the same thread.
protocol Turns: AnyObject {
    /// Calls the body after everything that is already due.
    func later(_ body: @escaping () -> Void)
    /// Calls the body after a delay.
    func later(in time: Milliseconds, _ body: @escaping () -> Void)
}

extension PollLoop: Turns {
    func later(in time: Milliseconds, _ body: @escaping () -> Void) {
        schedule(at: now + time, body)
    }
}

/// Delivers events to subscribers. A subscription is a position in one shared log, so a slow subscriber costs no memory and
/// nobody waits for it.
final class EventHub {
    private struct Subscription {
        let receiver: any EventReceiver
        /// The parameters with which it began, and the catalog that they were about.
        let parameters: SubscribeParameters
        let catalog: CatalogReference?
        var filter: EventFilter
        /// The past events that were promised; the log may drop them before the receiver can take them.
        var replay: ArraySlice<(seq: Int, line: [UInt8])>
        /// Every event up to this number was sent, or is not selected.
        var sent: Int
        /// The number of the last event that was sent; at first, the number after which the subscription begins.
        var lastSent: Int

        /// The next lines, about `size` bytes of them; empty if there is nothing to send.
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

    /// Lines are sent in pieces of about this many bytes.
    private static let pieceBytes = 32_768
    /// How many events may happen before subscribers get a turn: few enough that a subscriber that reads misses none.
    private static let burst = EventLog.capacity / 4
    /// How long a turn lasts, in milliseconds, if requests wait for its end: time for subscribers in other processes to read.
    private static let turnTime: Milliseconds = 1

    private let turns: any Turns
    private let epoch: String
    private var log = EventLog()
    private var subscriptions: [ObjectIdentifier: Subscription] = [:]
    private var isTurnDue = false
    /// The number of the latest event at the end of the last turn.
    private var turnSeq = 0
    /// What happens after the next turns, in its order.
    private var whenTurned: ArraySlice<() -> Void> = []
    /// Whether those that have waited go on, or will after a turn.
    private var isGoingOn = false
    /// Whether one that has waited goes on now.
    private var hasWaited = false
    /// The first names of the catalogs, by all their names.
    private var names: [String: String] = [:]

    init(turns: any Turns, epoch: String) {
        self.turns = turns
        self.epoch = epoch
    }

    var subscribers: Int { subscriptions.count }

    /// The number of the latest event.
    var seq: Int { log.seq }

    /// Whether a receiver still has something to be sent.
    func owes(_ receiver: any EventReceiver) -> Bool {
        guard let subscription = subscriptions[ObjectIdentifier(receiver)] else { return false }
        return !subscription.replay.isEmpty || subscription.sent < log.seq
    }

    /// Begins a subscription, which replaces the receiver's last one; the replayed events follow later.
    func subscribe(
        _ receiver: any EventReceiver, _ parameters: SubscribeParameters, of catalog: CatalogReference? = nil,
        limit: Int
    ) throws(RequestError) -> SubscribeResult {
        let id = ObjectIdentifier(receiver)
        guard subscriptions[id] != nil || subscriptions.count < limit else {
            throw RequestError(
                .busy, "All \(limit) subscriptions are in use (socket.max-subscribers); try again later.")
        }
        let filter = EventFilter(parameters, of: resolved(catalog))
        let replay = log.replay(parameters, for: filter, epoch: epoch)
        subscriptions[id] = Subscription(
            receiver: receiver, parameters: parameters, catalog: catalog, filter: filter,
            replay: log.held(after: replay.sent, for: filter)[...], sent: log.seq, lastSent: replay.sent)
        turnSoon()
        return SubscribeResult(
            subscribed: filter.kinds, epoch: epoch, seq: log.seq, replayed: replay.count, missed: replay.missed)
    }

    /// The catalog by its first name, if it is named.
    private func resolved(_ catalog: CatalogReference?) -> CatalogReference? {
        guard case .name(let name) = catalog else { return catalog }
        return .name(names[name] ?? name)
    }

    /// The catalogs have these names from now on; subscribers by name get the events of the catalog that has theirs.
    /// - Parameter names: the first names of the catalogs, by all their names.
    func named(_ names: [String: String]) {
        guard names != self.names else { return }
        self.names = names
        for (id, subscription) in subscriptions {
            guard case .name(let name) = subscription.catalog, names[name] != nil else { continue }
            handOver(id)
            subscriptions[id]?.filter = EventFilter(
                subscription.parameters, of: resolved(subscription.catalog))
        }
    }

    func unsubscribe(_ receiver: any EventReceiver) {
        subscriptions[ObjectIdentifier(receiver)] = nil
    }

    // MARK: Events

    /// Whether further events have to wait until subscribers have had their turn, and then those who wait already.
    var isFull: Bool { isBurst || !subscriptions.isEmpty && !whenTurned.isEmpty && !hasWaited }

    private var isBurst: Bool { !subscriptions.isEmpty && log.seq - turnSeq >= Self.burst }

    /// Calls back after a turn, and after those who have waited longer.
    func afterTurn(_ body: @escaping () -> Void) {
        whenTurned.append(body)
        turnSoon()
    }

    /// Numbers events, and delivers them after the loop's current work.
    /// - Parameter address: the address of the events' catalog; its name while none is known.
    func emit(_ events: [Event], of address: String? = nil, at now: Timestamp) {
        for event in events {
            log.append(event, of: address, at: now)
            // Before a burst pushes events out of the log that a subscriber could have taken.
            if log.seq.isMultiple(of: Self.burst) {
                for id in subscriptions.keys { handOver(id) }
            }
        }
        if !events.isEmpty { turnSoon() }
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

    private func turnSoon() {
        guard !isTurnDue else { return }
        isTurnDue = true
        turns.later { [unowned self] in turn() }
    }

    private func turn() {
        isTurnDue = false
        for subscription in subscriptions.values { deliver(to: subscription.receiver) }
        // Those that have waited may cause one burst together.
        guard !isGoingOn else { return }
        turnSeq = log.seq
        guard !whenTurned.isEmpty else { return }
        isGoingOn = true
        turns.later(in: Self.turnTime) { [unowned self] in goOnLater() }
    }

    /// One by one, because each may take long.
    private func goOnLater() {
        turns.later { [unowned self] in goOn() }
    }

    /// Calls back who has waited longest, unless subscribers are to have their turn.
    private func goOn() {
        guard !isBurst, let body = whenTurned.popFirst() else {
            isGoingOn = false
            return turnSoon()
        }
        hasWaited = true
        body()
        hasWaited = false
        goOnLater()
    }

    private func drop(_ id: ObjectIdentifier, _ subscription: Subscription) {
        subscriptions[id] = nil
        let unsent = log.count(subscription.sent + 1..<log.seq + 1, for: subscription.filter) ?? EventLog.capacity
        subscription.receiver.disconnect(
            lagged: Event.laggedLine(lastSent: subscription.lastSent, missed: subscription.replay.count + unsent))
    }
}
