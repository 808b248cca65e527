import PromoCore
import PromoWire

/// Receives the lines of events, on the loop's thread.
protocol EventReceiver: AnyObject {
    /// Whether a line could go out now without piling up.
    var takesEvents: Bool { get }
    /// Whether events wait for the end of a line that the receiver itself asked for, and it cannot be blamed for falling behind.
    var holdsEvents: Bool { get }
    /// Sends whole lines.
    func send(events: [UInt8])
    /// Sends the last line, and disconnects.
    func disconnect(lagged: [UInt8])
}

/// Calls back on the same thread, later.
protocol Turns: AnyObject {
    /// Calls the body when everybody whose turn it is has been called.
    func later(_ body: @escaping () -> Void)
    /// Calls the body after so long.
    func later(in time: Milliseconds, _ body: @escaping () -> Void)
}

extension PollLoop: Turns {
    func later(in time: Milliseconds, _ body: @escaping () -> Void) {
        schedule(at: now + time, body)
    }
}

/// Hands events to those who subscribed to them. A subscriber is a place in the one log, so a slow one costs no memory, and
/// nobody waits for it.
final class EventHub {
    private struct Subscription {
        let receiver: any EventReceiver
        let filter: EventFilter
        /// What was promised of the past. The log may let go of it before the receiver can take it.
        var replay: ArraySlice<(seq: Int, line: [UInt8])>
        /// It was sent, or did not select, everything up to this number.
        var sent: Int
        /// The number of the last event that it was sent, or of the latest when it began.
        var lastSent: Int

        /// The next lines, about as many bytes of them; empty if nothing is owed.
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

    /// Lines are handed over in pieces of about this size.
    private static let pieceBytes = 32_768
    /// So many events may happen before subscribers have a turn: few enough that one who reads loses none of them.
    private static let burst = EventLog.capacity / 4
    /// How long a turn lasts when more is waiting to happen, so that a subscriber in another process gets to read.
    private static let turnTime: Milliseconds = 1

    private let turns: any Turns
    private let epoch: String
    private var log = EventLog()
    private var subscriptions: [ObjectIdentifier: Subscription] = [:]
    private var isTurnDue = false
    /// The latest event when subscribers last had their turn.
    private var turnSeq = 0
    private var whenTurned: [() -> Void] = []
    /// What the last catalog event said.
    private var catalog: Event?

    init(turns: any Turns, epoch: String) {
        self.turns = turns
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
        guard let subscription = subscriptions[ObjectIdentifier(receiver)] else { return false }
        return !subscription.replay.isEmpty || subscription.sent < log.seq
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
        subscriptions[id] = Subscription(
            receiver: receiver, filter: filter, replay: log.held(after: replay.sent, for: filter)[...], sent: log.seq,
            lastSent: replay.sent)
        turnSoon()
        return SubscribeResult(
            subscribed: filter.kinds, epoch: epoch, seq: log.seq, replayed: replay.count, missed: replay.missed)
    }

    func unsubscribe(_ receiver: any EventReceiver) {
        subscriptions[ObjectIdentifier(receiver)] = nil
    }

    // MARK: Events

    /// Whether what would happen next has to wait until subscribers have had their turn.
    var isFull: Bool { !subscriptions.isEmpty && log.seq - turnSeq >= Self.burst }

    /// Calls back after the next turn.
    func afterTurn(_ body: @escaping () -> Void) {
        whenTurned.append(body)
        turnSoon()
    }

    /// Numbers events and hands them over when the loop has done what it is at.
    func emit(_ events: [Event], at now: Timestamp) {
        for event in events {
            log.append(event, at: now)
            // In time: what a burst has pushed out of the log is lost to those who could have taken it.
            if log.seq.isMultiple(of: Self.burst) {
                for id in subscriptions.keys { handOver(id) }
            }
        }
        if !events.isEmpty { turnSoon() }
    }

    /// Emits a catalog event where it says something new; the first thing that is ever published is no news.
    func catalogPublished(_ freshness: Freshness, at now: Timestamp) {
        let event = Event.catalog(state: freshness.state, generation: freshness.generation)
        defer { catalog = event }
        if let catalog, catalog != event { emit([event], at: now) }
    }

    /// Hands over what a receiver can take, or its last line, if events that it selected are held no longer.
    func deliver(to receiver: any EventReceiver) {
        let id = ObjectIdentifier(receiver)
        guard let subscription = subscriptions[id] else { return }
        // What is not selected puts nobody behind.
        let sent = log.skipped(after: subscription.sent, for: subscription.filter)
        subscriptions[id]?.sent = sent
        guard log.isTooFarBehind(after: sent, for: subscription.filter) else { return handOver(id) }
        if !receiver.holdsEvents { drop(id, subscription) }
    }

    private func handOver(_ id: ObjectIdentifier) {
        while var subscription = subscriptions[id], subscription.receiver.takesEvents,
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
        turnSeq = log.seq
        guard !whenTurned.isEmpty else { return }
        let waiting = whenTurned
        whenTurned = []
        turns.later(in: Self.turnTime) {
            for body in waiting { body() }
        }
    }

    private func drop(_ id: ObjectIdentifier, _ subscription: Subscription) {
        subscriptions[id] = nil
        let unsent = log.count(subscription.sent + 1..<log.seq + 1, for: subscription.filter) ?? EventLog.capacity
        subscription.receiver.disconnect(
            lagged: Event.laggedLine(lastSent: subscription.lastSent, missed: subscription.replay.count + unsent))
    }
}
