import CLinux
import Glibc
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// Serves clients on a listening socket. It belongs to the thread that creates and runs it.
final class QueryServer {
    /// The number of connections over the limit that get an error; further ones are closed at once.
    static let maximumRefusals = 64
    /// The number of connections to accept before others have their turn.
    private static let burst = 16
    /// The pause after a failure to accept, such as a lack of descriptors, which would fail again at once.
    private static let pause: Milliseconds = 1000
    /// How much longer than a fetch without an answer a request waits, so that it is told of that failure.
    static let fetchGrace: Milliseconds = 2000
    /// How long a request waits for what is read at the start.
    private static let startTime: Milliseconds = 5000
    /// How long a stopping daemon waits for clients to read their replies.
    static let stopTime: Milliseconds = 2000

    /// After this many clients have left, their memory is returned to the system: little for one client, up to a hundred megabytes for a
    /// thousand.
    static let crowd = 32

    let loop: PollLoop
    let events: EventHub
    let now: @Sendable () -> Timestamp
    /// The buffer for reading. All clients share it, because only one is read at a time.
    var buffer = [UInt8](repeating: 0, count: 65_536)
    /// The buffer for replies, until they are sent or moved to a connection. All clients share it, so that a connection has a buffer
    /// only while it needs one.
    var replies = OutputQueue()

    private let keeper: Keeper
    private(set) var responder: Responder
    private var catalogs = PublishedCatalogs()
    private var kept = KeptReplies()
    /// The number of lists answered by ``answerAtOnce(_:output:)`` that are not in the status yet.
    private var keptLists = 0
    /// The number of clients that have left.
    private var departures = 0
    private let logger: Logger
    /// The descriptor that listens until the stop; nil before.
    private var listening: Int32?
    /// The end of a pause in accepting; nil except during one.
    private var acceptingAgain: PollLoop.TimerID?
    /// Whether accepting failed the last time.
    private var isFailing = false
    private var clients: [Client.ID: Client] = [:]
    /// How many of the clients were refused, and have only to read why.
    private var refusals = 0
    private var lastID = 0
    /// The waits for replies by their clients, with the timers of those that have a limit; and the number of the last one.
    private var waits: [Client.ID: (number: Int, timer: PollLoop.TimerID?)] = [:]
    private var lastWait = 0
    private var isStopping = false
    /// The time without clients and fetches after which it ends, and how; nil if it stays.
    private var idle: (time: Milliseconds, end: () -> Void)?
    /// The end of that time; nil except while there are none.
    private var idleTimer: PollLoop.TimerID?

    /// A server that does not listen yet.
    init(keeper: Keeper, responder: Responder, now: @escaping @Sendable () -> Timestamp, logger: Logger) {
        (loop, self.keeper, self.responder, self.now, self.logger) = (keeper.loop, keeper, responder, now, logger)
        events = EventHub(
            epoch: responder.status.epoch, loop: keeper.loop,
            name: { [unowned keeper] in keeper.snapshot.choose($0, for: nil)?.name })
        keeper.server = self
        published(keeper.snapshot)
    }

    /// Listens on a bound descriptor.
    func listen(on descriptor: Int32) throws(SystemError) {
        promod_refuse_descriptors(descriptor)
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 else {
            throw SystemError("listen on", "the socket")
        }
        try watch(descriptor)
        listening = descriptor
    }

    private func watch(_ descriptor: Int32) throws(SystemError) {
        try loop.add(descriptor, for: .input) { [unowned self] _ in accept(from: descriptor) }
    }

    /// Accepts the next connections, unless a pause is not over.
    func accept(from descriptor: Int32) {
        if acceptingAgain == nil, !accept(Self.burst, from: descriptor) { pauseAccepting(from: descriptor) }
    }

    /// Accepts at most `maximum` connections; false if accepting fails and a pause is needed.
    private func accept(_ maximum: Int, from descriptor: Int32) -> Bool {
        for _ in 0..<maximum {
            let connection = promod_accept(descriptor)
            if connection >= 0 {
                isFailing = false
                admit(connection)
                continue
            }
            switch errno {
            // A client that disconnected before it was accepted is not an error.
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return true
            default:
                let error = SystemError("accept connections on", "the socket")
                keeper.problems.connectionRefused(now: now())
                if !isFailing { logger.log(.acceptFailed, "New clients wait for a second or more: \(error)") }
                isFailing = true
                return false
            }
        }
        return true
    }

    private func pauseAccepting(from descriptor: Int32) {
        loop.remove(descriptor)
        acceptingAgain = loop.schedule(at: loop.now + Self.pause) { [unowned self] in
            acceptingAgain = nil
            do { try watch(descriptor) } catch { pauseAccepting(from: descriptor) }
        }
    }

    /// Serves until ``stop()``; returns when all connections are closed, at most 2 s later.
    func run() {
        loop.run()
    }

    /// Stops accepting connections, and answers the requests that were sent already.
    func stop() {
        guard !isStopping else { return }
        if let listening {
            if let acceptingAgain { loop.cancel(acceptingAgain) } else { loop.remove(listening) }
            // Those that are waiting; later ones wait in the socket if systemd holds it, too.
            _ = accept(Int(SOMAXCONN), from: listening)
            close(listening)
        }
        isStopping = true
        for client in Array(clients.values) { client.stop() }
        stopIfEmpty()
        loop.schedule(at: loop.now + Self.stopTime) { [unowned self] in
            for client in Array(clients.values) { client.abandon() }
            loop.stop()
        }
    }

    /// Has it end when there was neither a client nor a fetch for a time.
    func end(afterIdle time: Milliseconds, of socket: ServedSocket, _ end: @escaping () -> Void) {
        idle = (
            time,
            { [unowned self] in
                // Nobody connects from now on; who has connected before cancels the end.
                socket.putAside()
                if let listening { _ = accept(Int(SOMAXCONN), from: listening) }
                if clients.isEmpty { end() } else { socket.putBack() }
            }
        )
        activityChanged()
    }

    /// A client has come or gone, or a fetch has begun or ended.
    func activityChanged() {
        guard let idle else { return }
        if isStopping || !clients.isEmpty || !keeper.snapshot.isRead || keeper.catalogs.isFetching {
            idleTimer.map(loop.cancel)
            idleTimer = nil
        } else if idleTimer == nil {
            idleTimer = loop.schedule(at: PollLoop.clock() + idle.time) { [unowned self] in
                idleTimer = nil
                idle.end()
            }
        }
    }

    private func stopIfEmpty() {
        if isStopping && connections == 0 { loop.stop() }
    }

    // MARK: Clients

    /// Admits a connection of the daemon's own user, up to the limit.
    func admit(_ descriptor: Int32) {
        let user = PeerCredentials(of: descriptor)?.userID
        guard user == getuid() else {
            logger.log(
                .peerRefused, "A connection from another user was refused",
                ["uid": "\(user.map(String.init) ?? "unknown")"])
            close(descriptor)
            return
        }
        // If a reload lowers it, open connections stay open.
        let limit = keeper.catalogs.configuration.maximumConnections
        let isRefused = connections >= limit
        if isRefused { keeper.problems.connectionRefused(now: now()) }
        guard !isRefused || refusals < Self.maximumRefusals else {
            close(descriptor)
            return
        }
        lastID += 1
        let client = Client(id: lastID, descriptor: descriptor, server: self, isRefused: isRefused)
        clients[lastID] = client
        activityChanged()
        guard isRefused else { return client.proceed() }
        refusals += 1
        let all = limit == 1 ? "The only connection is" : "All \(limit) connections are"
        client.refuse(RequestError(.busy, "\(all) in use (socket.max-connections); try again later."))
    }

    /// The number of clients that are served.
    var connections: Int { clients.count - refusals }

    /// Removes a client that ends; false if it was removed before.
    func forget(_ client: Client) -> Bool {
        guard clients.removeValue(forKey: client.id) != nil else { return false }
        if client.isRefused { refusals -= 1 }
        if let wait = waits.removeValue(forKey: client.id) {
            if let timer = wait.timer { loop.cancel(timer) }
            keeper.commands.forget(client.id)
        }
        departures += 1
        if departures.isMultiple(of: Self.crowd) { keeper.giveBackMemory() }
        stopIfEmpty()
        activityChanged()
        return true
    }

    // MARK: Answers from the keeper

    /// Hands a command to the keeper, or answers a request after what it waits for. One that waits for a fetch is answered without it when
    /// its time is up.
    func answer(_ request: Request, _ id: RequestID?, of client: Client.ID, later: Answer.Later) {
        lastWait += 1
        let (number, inbox) = (lastWait, keeper.inbox)
        let end = loop.now + keeper.catalogs.configuration.timeout.milliseconds + Self.fetchGrace
        var timer: PollLoop.TimerID?
        if later == .start {
            timer = loop.schedule(at: loop.now + Self.startTime) { [unowned self] in
                waits[client] = nil
                send(.refused(CommandKeeper.notRead), id, to: client)
            }
        } else if let request = request.withoutWait {
            timer = loop.schedule(at: end) { [unowned self] in
                waits[client] = nil
                keeper.commands.forget(client)
                answer(request, id, of: client, after: later)
            }
        }
        waits[client] = (number, timer)
        // One fetch ends many waits, so other clients have their turns between these replies.
        let ended: @Sendable (@escaping @Sendable (QueryServer) -> Void) -> Void = { body in
            inbox.submit { keeper in
                keeper.loop.later { [weak server = keeper.server] in
                    if let server, server.endWait(number, of: client) { body(server) }
                }
            }
        }
        switch later {
        case .command(let command):
            keeper.commands.carryOut(command, of: request.catalog, for: client) { reply in
                ended { $0.send(reply, id, to: client) }
            }
        case .start: keeper.whenRead { ended { $0.answer(request, id, of: client, after: later) } }
        case .look: keeper.problems.look { ended { $0.answer(request, id, of: client, after: later) } }
        case .fetch:
            keeper.commands.awaitFetch(for: request, of: client) {
                ended { $0.answer(request, id, of: client, after: later) }
            }
        case .source(let order):
            keeper.lists.make(order) { [weak self] source in
                guard let self, endWait(number, of: client) else { return }
                answer(request, id, of: client, order, from: source)
            }
        }
    }

    /// Ends a client's wait; false if it has ended before.
    private func endWait(_ number: Int, of client: Client.ID) -> Bool {
        guard let wait = waits[client], wait.number == number else { return false }
        waits[client] = nil
        if let timer = wait.timer { loop.cancel(timer) }
        return true
    }

    private func send(_ reply: Command.Reply, _ id: RequestID?, to client: Client.ID) {
        guard let client = clients[client] else { return }
        switch reply {
        case .result(let result): replies.reply(to: id, result)
        case .icon(let icon): replies.reply(to: id, result: icon.write)
        case .refused(let error): replies.reply(to: id, error: error)
        }
        client.replyArrived()
    }

    private func answer(_ request: Request, _ id: RequestID?, of client: Client.ID, after: Answer.Later) {
        guard let receiver = clients[client] else { return }
        switch respond(to: request, id: id, from: receiver, after: after) {
        case .later(let next): answer(request, id, of: client, later: next)
        case .written, .subscription: receiver.replyArrived()
        }
    }

    private func answer(
        _ request: Request, _ id: RequestID?, of client: Client.ID, _ order: ListOrder, from source: ListSource
    ) {
        guard let client = clients[client] else { return }
        responder.answer(order, from: source, id: id, snapshot: keeper.snapshot, now: now(), output: &replies)
        keeper.commands.answered(request)
        client.replyArrived()
    }

    // MARK: Answers

    /// Answers a request into ``replies``, unless it has to wait, and performs what follows from the answer.
    /// - Parameter after: what the request has waited for; nil the first time.
    func respond(
        to request: Request, id: RequestID?, from receiver: any EventReceiver, after: Answer.Later? = nil
    ) -> Answer {
        responder.status.socket.connections = connections
        responder.status.socket.subscribers = events.subscribers
        if keptLists > 0 { responder.status.requests["list", default: 0] += keptLists }
        keptLists = 0
        let (snapshot, now) = (keeper.snapshot, now())
        let answer = responder.respond(
            to: request, id: id, snapshot: snapshot, now: now, after: after, output: &replies)
        if after == nil { responder.status.requests[request.method.description.name, default: 0] += 1 }
        switch answer {
        case .written(let happened):
            events.emit(happened, at: now)
            keeper.commands.answered(request)
        case .subscription(let parameters):
            do { replies.reply(to: id, try events.subscribe(receiver, parameters, of: request.catalog)) } catch {
                replies.reply(to: id, error: error)
            }
        case .later: break
        }
        return answer
    }

    /// Answers the line at the start of the bytes if it is a common list, with a kept reply if possible.
    /// - Returns: the length of the line, or 0 if it is not answered.
    func answerAtOnce(_ bytes: Span<UInt8>, output: inout OutputQueue) -> Int {
        var made: Request?
        let length = kept.answer(bytes, output: &output) {
            guard !loop.isLate else { return nil }
            made = Request(.list($0), of: $1)
            return responder.keptList($0, of: $1, snapshot: keeper.snapshot, now: now())
        }
        guard length > 0 else { return 0 }
        keptLists += 1
        // Each publication begins with new replies, so that a client is noticed as often as its catalog is fetched.
        if let made { keeper.commands.answered(made) }
        return length
    }

    /// Emits the events of a publication.
    func published(_ snapshot: Snapshot) {
        responder.published(snapshot)
        kept = KeptReplies()
        let now = now()
        events.emit(catalogs.published(snapshot, now: now), at: now)
        activityChanged()
    }
}
