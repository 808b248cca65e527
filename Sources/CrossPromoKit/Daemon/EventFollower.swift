package import PromoWire

/// Follows the daemon's events across its restarts; a thread waits in ``next()``.
package struct EventFollower: ~Copyable {
    /// What a follower learns.
    package enum Occurrence: Sendable {
        case subscribed(SubscribeResult, isAnotherStart: Bool)
        case event(FollowedEvent)
        /// The connection is gone; the next call tries another, after a pause.
        case lost(PromoError)
    }

    /// Tells lost connections apart from a daemon that is not there at all.
    package enum Start: Sendable {
        /// A first connection that fails is an error.
        case now
        /// It is waited for like any other.
        case whenThere
    }

    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(5)

    private let client: DaemonClient
    private let interruption: Interruption
    private var position: FollowPosition
    private var connection: DaemonConnection?
    private var isPatient: Bool
    /// Before the next try. It grows with each one, and begins anew after an event or a connection that lasted: a daemon that
    /// takes subscriptions and drops them must not be asked in a loop.
    private var pause = Duration.zero
    private var connectedAt: SuspendingClock.Instant?

    /// A follower that connects when it is first asked.
    package init(
        _ client: DaemonClient, _ parameters: SubscribeParameters, start: Start, interruption: Interruption
    ) {
        self.client = client
        self.interruption = interruption
        position = FollowPosition(parameters)
        isPatient = start == .whenThere
    }

    /// Waits for what happens next.
    /// - Throws: ``PromoError`` where the first connection fails, `cancelled` when it was interrupted.
    package mutating func next() throws(PromoError) -> Occurrence {
        while true {
            if let occurrence = try next(until: .never) { return occurrence }
        }
    }

    /// Waits for what happens next; nil where nothing does before the deadline.
    /// - Throws: ``PromoError`` where the first connection fails, `cancelled` when it was interrupted.
    package mutating func next(until deadline: Deadline) throws(PromoError) -> Occurrence? {
        do {
            return try connection == nil ? subscribe(before: deadline) : receive(until: deadline)
        } catch {
            if connection != nil, error.code == .timedOut { return nil }
            connection = nil
            guard error.code != .cancelled, isPatient else { throw error }
            if let connectedAt, connectedAt.duration(to: .now) >= Self.longestPause { pause = .zero }
            connectedAt = nil
            pause = pause == .zero ? Self.firstPause : min(pause * 2, Self.longestPause)
            return .lost(error)
        }
    }

    private mutating func subscribe(before end: Deadline) throws(PromoError) -> Occurrence? {
        if pause > .zero {
            if interruption.wait(until: .earlier(.after(pause), end)) { throw .cancelled }
            guard !end.hasPassed else { return nil }
        }
        let deadline = Deadline.earlier(.after(client.timeout), end)
        var connection = try client.connect(deadline: deadline, interruption: interruption)
        let answer = try connection.ask(line: Request.subscribe(position.parameters).line, deadline: deadline)
        let result: SubscribeResult
        do {
            result = try SubscribeResult(answer)
        } catch {
            throw .badReply(error)
        }
        self.connection = consume connection
        isPatient = true
        connectedAt = .now
        return .subscribed(result, isAnotherStart: position.subscribed(result))
    }

    private mutating func receive(until deadline: Deadline) throws(PromoError) -> Occurrence {
        while let line = try connection?.receive(deadline: deadline) {
            guard case .event(let json) = Incoming(line: line) else { continue }
            do {
                let event = try FollowedEvent(json)
                position.received(seq: event.seq)
                pause = .zero
                return .event(event)
            } catch {
                // The last line of one who fell behind, or a kind that only a later version knows.
                if let seq = json["seq"]?.integer { position.received(seq: seq) }
            }
        }
        return .lost(.cancelled)
    }
}
