import Glibc
package import Logging
package import PromoCore
package import PromoWire

/// Serves the query plane on a listening socket: the loop's thread, the clients on it, and the way in for other threads.
///
/// It belongs to the thread that makes it and runs it.
package final class QueryServer {
    /// How long a stopping daemon waits for clients to read their replies.
    private static let stopTime: Milliseconds = 2000

    let loop: PollLoop
    let plane: QueryPlane
    /// What is read lands here first; one for all, because only one is read at a time.
    var buffer = [UInt8](repeating: 0, count: 65_536)
    /// Replies that are sent as soon as they are written; one for all, so that a connection has a buffer only while it needs one.
    var lines = ReplyLines()

    private let inbox: Inbox<QueryServer>
    private let controlPlane: ControlPlane
    private let limits: ServerLimits
    private let logger: Logger
    private var mail: Mail?
    private var listener: Listener?
    private var clients: [Client.ID: Client] = [:]
    private var refused = 0
    private var lastID = 0
    private var isStopping = false

    /// A server that does not listen yet.
    /// - Parameter inbox: how other threads reach it while it runs.
    /// - Throws: ``SystemError`` if the kernel has no descriptor for it.
    package init(
        inbox: Inbox<QueryServer>, controlPlane: ControlPlane, responder: Responder, publication: Publication,
        limits: ServerLimits, now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) throws(SystemError) {
        loop = try PollLoop()
        self.inbox = inbox
        self.controlPlane = controlPlane
        self.limits = limits
        self.logger = logger
        plane = QueryPlane(
            loop: loop, controlPlane: controlPlane, responder: responder, publication: publication, limits: limits,
            now: now)
        let mail = Mail(server: self)
        self.mail = mail
        try loop.add(inbox.descriptor, mail, for: .input)
        publication.observe { snapshot in
            inbox.submit { $0.plane.published(snapshot) }
        }
    }

    /// Takes what other threads left.
    private final class Mail: PollLoop.Source {
        private unowned let server: QueryServer

        init(server: QueryServer) {
            self.server = server
        }

        func ready(_ readiness: PollLoop.Readiness) {
            server.inbox.empty(into: server)
        }
    }

    /// Listens on a bound descriptor.
    package func listen(on descriptor: Int32) throws(SystemError) {
        listener = try Listener(descriptor, loop: loop) { [unowned self] in admit($0) }
    }

    /// Serves until ``stop()``, and returns when all connections are closed, after 2 s at most.
    package func run() {
        loop.run()
    }

    /// Accepts no more, and answers what was asked.
    package func stop() {
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

    /// Lets a connection in: the daemon's own user alone, and no more than the limit.
    private func admit(_ descriptor: Int32) {
        let user = PeerCredentials.userID(of: descriptor)
        guard user == getuid() else {
            plane.counters.refused += 1
            logger.log(
                .peerRefused, "A connection of another user was turned away",
                ["uid": "\(user.map(String.init) ?? "unknown")"])
            close(descriptor)
            return
        }
        let limit = limits.connections
        let isOver = clients.count - refused >= limit
        if isOver {
            plane.counters.refused += 1
            guard refused < ServerLimits.maximumRefusals else {
                close(descriptor)
                return
            }
            refused += 1
        }
        lastID += 1
        let client = Client(id: lastID, descriptor: descriptor, server: self, isRefused: isOver)
        clients[lastID] = client
        plane.counters.connections = clients.count - refused
        client.begin(
            refusal: isOver
                ? RequestError(
                    .busy, "All \(limit) connections are taken (socket.max-connections); try later.") : nil)
    }

    /// A client ends; false if it has ended before.
    func forget(_ client: Client) -> Bool {
        guard clients.removeValue(forKey: client.id) != nil else { return false }
        if client.isRefused { refused -= 1 }
        plane.counters.connections = clients.count - refused
        stopIfEmpty()
        return true
    }

    // MARK: Answers from the control plane

    /// Has the control plane answer a client.
    func answerLater(_ wait: QueryPlane.Wait, to client: Client.ID) {
        let inbox = inbox
        switch wait {
        case .command(let command):
            controlPlane.perform {
                $0.carryOut(command) { reply in
                    inbox.submit { $0.reply(to: client) { plane, id, lines in plane.write(reply, to: id, &lines) } }
                }
            }
        case .fetch(let parameters):
            controlPlane.perform {
                $0.awaitFetch {
                    inbox.submit { $0.reply(to: client) { plane, id, lines in plane.list(parameters, id, &lines) } }
                }
            }
        }
    }

    private func reply(
        to client: Client.ID, _ write: (QueryPlane, _ id: RequestID?, _ lines: inout ReplyLines) -> Void
    ) {
        clients[client]?.replyArrived { id, lines in write(plane, id, &lines) }
    }
}
