package import PromoSystem
package import PromoWire

/// Subscribes to the daemon's events, and again after each lost connection. The caller's thread blocks in ``next(until:)``.
package struct EventSubscriber: ~Copyable {
    /// What ``EventSubscriber/next(until:)`` returns.
    package enum Occurrence: Sendable {
        /// A subscription was answered, which asked for these parameters.
        case subscribed(SubscribeResult, asked: SubscribeParameters)
        /// An event, and its `params` with members that this version does not know.
        case event(Event, JSONValue)
        /// The connection is lost. The next call connects again, after a pause.
        case lost(PromoError)
    }

    private static let firstPause = Duration.milliseconds(100)
    /// So a list follows a promod that was installed while its app ran, and a program without promod wakes twice a minute at most.
    private static let longestPause = Duration.seconds(30)
    /// A connection that lasted this long resets the pause.
    private static let settlingTime = Duration.seconds(5)

    private let client: DaemonClient
    private let interruption: Interruption
    /// The only catalog whose events are received; nil for all.
    private let catalog: CatalogReference?
    /// The parameters of the next subscription, which continues where the last one ended.
    private var parameters: SubscribeParameters
    private var connection: DaemonConnection?
    /// Whether another connection follows one that fails.
    private var reconnects: Bool
    /// The pause before the next connection. It grows with each one, and is reset only by an event or a connection that lasted, so that a
    /// daemon that accepts subscriptions and drops them is not asked in a loop.
    private var pause = Duration.zero
    private var connectedAt: SuspendingClock.Instant?

    /// Creates a subscriber, which connects in the first call of ``next(until:)``.
    /// - Parameter waitsForDaemon: whether another connection follows a first one that fails, as after a lost connection.
    package init(
        _ client: DaemonClient, _ parameters: SubscribeParameters, of catalog: CatalogReference? = nil,
        waitsForDaemon: Bool, interruption: Interruption
    ) {
        self.client = client
        self.catalog = catalog
        self.interruption = interruption
        self.parameters = parameters
        reconnects = waitsForDaemon
    }

    /// Waits for the next occurrence until a deadline; nil if there is none.
    /// - Throws: ``PromoError`` if the first connection fails and is not repeated, and `cancelled` after an interruption.
    package mutating func next(until deadline: Deadline = .never) throws(PromoError) -> Occurrence? {
        do {
            return try connection == nil ? subscribe(before: deadline) : receive(until: deadline)
        } catch {
            if connection != nil, error.code == .timedOut { return nil }
            connection = nil
            guard error.code != .cancelled, reconnects else { throw error }
            if let connectedAt, connectedAt.duration(to: .now) >= Self.settlingTime { pause = .zero }
            connectedAt = nil
            pause = pause == .zero ? Self.firstPause : min(pause * 2, Self.longestPause)
            return .lost(error)
        }
    }

    private mutating func subscribe(before end: Deadline) throws(PromoError) -> Occurrence? {
        if pause > .zero {
            // Jitter, so that not all clients connect at the same moment.
            let rest = Deadline.earlier(.after(pause * .random(in: 0.5...1)), end)
            guard !interruption.wait(until: rest) else { throw .cancelled }
            guard !end.hasPassed else { return nil }
        }
        let deadline = Deadline.earlier(.after(client.timeout), end)
        var connection = try client.connect(deadline: deadline, interruption: interruption)
        let request = Request(.subscribe(parameters), of: catalog)
        let result = try connection.ask(line: request.line, deadline: deadline).read(SubscribeResult.init)
        self.connection = consume connection
        reconnects = true
        connectedAt = .now
        let asked = parameters
        (parameters.since, parameters.epoch) = (result.since, result.epoch)
        return .subscribed(result, asked: asked)
    }

    private mutating func receive(until deadline: Deadline) throws(PromoError) -> Occurrence {
        while let line = try connection?.receive(deadline: deadline) {
            guard case .event(let json) = Incoming(line: line) else { continue }
            do {
                let event = try Event(json)
                parameters.since = event.seq
                pause = .zero
                return .event(event, json)
            } catch {
                // The last line to a subscriber that lags, or an event of a kind that this version does not know.
                if let seq = json["seq"]?.integer { parameters.since = seq }
            }
        }
        return .lost(.cancelled)
    }
}
