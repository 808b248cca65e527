import Glibc
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// Serves the server on a listening socket. It belongs to the thread that creates and runs it.
final class QueryServer {
    /// The number of connections over the limit that are open for an error reply; any more are closed without one.
    static let maximumRefusals = 64
    /// How long a stopping daemon waits for clients to read their replies.
    private static let stopTime: Milliseconds = 2000

    let loop: PollLoop
    let handler: RequestHandler
    /// The buffer for reading. All clients share it, because only one is read at a time.
    var buffer = [UInt8](repeating: 0, count: 65_536)
    /// The buffer for replies, until they are sent or moved to a connection. All clients share it, so that a connection has a buffer
    /// only while it needs one.
    var replies = OutputQueue()

    private let keeper: Keeper
    /// The number of connections that are served; if it becomes lower, open ones stay open.
    var maximumConnections: Int
    private let logger: Logger
    private var listener: Listener?
    private var clients: [Client.ID: Client] = [:]
    private var refused = 0
    private var lastID = 0
    private var isStopping = false

    /// A server that does not listen yet.
    init(
        keeper: Keeper, responder: Responder, maximumConnections: Int,
        now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        loop = keeper.loop
        self.keeper = keeper
        self.maximumConnections = maximumConnections
        self.logger = logger
        handler = RequestHandler(
            loop: loop, keeper: keeper, responder: responder, now: now)
        keeper.server = self
        handler.published(keeper.snapshot)
    }

    /// Listens on a bound descriptor.
    func listen(on descriptor: Int32) throws(SystemError) {
        listener = try Listener(
            descriptor, loop: loop, accepted: { [unowned self] in admit($0) },
            failed: { [logger] in logger.log(.acceptFailed, "New clients wait for a second or more: \($0)") })
    }

    /// Serves until ``stop()``; returns when all connections are closed, at most 2 s later.
    func run() {
        loop.run()
    }

    /// Stops accepting connections, and answers the requests that were sent already.
    func stop() {
        guard !isStopping else { return }
        listener?.stop()
        isStopping = true
        for client in Array(clients.values) { client.stop() }
        stopIfEmpty()
        loop.schedule(at: loop.now + Self.stopTime) { [unowned self] in
            for client in Array(clients.values) { client.abandon() }
            loop.stop()
        }
    }

    private func stopIfEmpty() {
        if isStopping && clients.isEmpty { loop.stop() }
    }

    // MARK: Clients

    /// Admits a connection of the daemon's own user, up to the limit.
    func admit(_ descriptor: Int32) {
        let user = PeerCredentials(of: descriptor)?.userID
        guard user == getuid() else {
            handler.counters.refused += 1
            logger.log(
                .peerRefused, "A connection of another user was refused",
                ["uid": "\(user.map(String.init) ?? "unknown")"])
            close(descriptor)
            return
        }
        let limit = maximumConnections
        let isOver = clients.count - refused >= limit
        if isOver {
            handler.counters.refused += 1
            guard refused < Self.maximumRefusals else {
                close(descriptor)
                return
            }
            refused += 1
        }
        lastID += 1
        let client = Client(id: lastID, descriptor: descriptor, server: self, isRefused: isOver)
        clients[lastID] = client
        handler.counters.connections = clients.count - refused
        client.begin(
            refusal: isOver
                ? RequestError(
                    .busy,
                    "\(limit == 1 ? "The only connection is" : "All \(limit) connections are") in use "
                        + "(socket.max-connections); try again later.") : nil)
    }

    /// Removes a client that ends; false if it was removed before.
    func forget(_ client: Client) -> Bool {
        guard clients.removeValue(forKey: client.id) != nil else { return false }
        if client.isAwaiting { keeper.forget(client.id) }
        if client.isRefused { refused -= 1 }
        handler.counters.connections = clients.count - refused
        stopIfEmpty()
        return true
    }

    // MARK: Answers from the keeper

    /// Hands a command to the keeper, or answers a request after the fetch or the icons that it waits for.
    func answer(_ request: Request, _ id: RequestID?, of client: Client.ID, later: Answer.Later) {
        let inbox = keeper.inbox
        let answer: @Sendable () -> Void = {
            inbox.submit { keeper in
                // One fetch ends many waits, so other clients have their turns between these replies.
                keeper.loop.later { [weak server = keeper.server] in
                    server?.answer(request, id, of: client, after: later)
                }
            }
        }
        switch later {
        case .command(let command):
            keeper.carryOut(command, of: request.catalog, for: client) { reply in
                inbox.submit { $0.server?.send(reply, id, to: client) }
            }
        case .fetch: keeper.awaitFetch(for: request, of: client, answer)
        case .icons: keeper.awaitIcons(for: request, of: client, answer)
        }
    }

    private func send(_ reply: Command.Reply, _ id: RequestID?, to client: Client.ID) {
        guard let client = clients[client] else { return }
        handler.write(reply, to: id, &replies)
        client.replyArrived()
    }

    private func answer(_ request: Request, _ id: RequestID?, of client: Client.ID, after: Answer.Later) {
        guard let receiver = clients[client] else { return }
        switch handler.respond(to: request, id: id, from: receiver, after: after, output: &replies) {
        case .later(let next): answer(request, id, of: client, later: next)
        case .written, .subscription: receiver.replyArrived()
        }
    }
}
