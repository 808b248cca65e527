import CLinux
import Glibc
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// Serves the server on a listening socket. It belongs to the thread that creates and runs it.
final class QueryServer {
    /// The number of connections over the limit that stay open after their error; one more closes the oldest.
    static let maximumRefusals = 64
    /// How long they stay open.
    private static let refusedTime: Milliseconds = 2000
    /// How long a stopping daemon waits for clients to read their replies.
    private static let stopTime: Milliseconds = 2000

    /// After so many clients have left, their memory is returned to the system: that of one is little, but that of a thousand is up to a
    /// hundred megabytes.
    static let crowd = 32
    /// The delay of that, so that it is done once for all who leave together.
    private static let givingBackTime: Milliseconds = 1000

    let loop: PollLoop
    let events: EventHub
    var traffic = Responder.Traffic()
    let now: @Sendable () -> Timestamp
    /// The buffer for reading. All clients share it, because only one is read at a time.
    var buffer = [UInt8](repeating: 0, count: 65_536)
    /// The buffer for replies, until they are sent or moved to a connection. All clients share it, so that a connection has a buffer
    /// only while it needs one.
    var replies = OutputQueue()

    private let keeper: Keeper
    private var responder: Responder
    private var catalogs = PublishedCatalogs()
    private var kept = KeptReplies()
    /// The number of lists answered by ``answerAtOnce(_:now:output:)`` that are not in ``traffic`` yet.
    private var keptLists = 0
    /// The number of clients that have left.
    private var departures = 0
    private var isGivingBackDue = false
    /// The number of connections that are served; if it becomes lower, open ones stay open.
    var maximumConnections: Int
    private let logger: Logger
    private var listener: Listener?
    private var clients: [Client.ID: Client] = [:]
    /// The descriptors of refused connections, oldest first.
    private var refused: [Int32] = []
    private var lastID = 0
    private var isStopping = false

    /// A server that does not listen yet.
    init(
        keeper: Keeper, responder: Responder, maximumConnections: Int,
        now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        (loop, self.keeper, self.responder) = (keeper.loop, keeper, responder)
        (self.maximumConnections, self.now, self.logger) = (maximumConnections, now, logger)
        events = EventHub(
            epoch: responder.epoch, later: { [loop = keeper.loop] in loop.later($0) },
            name: { [unowned keeper] in keeper.snapshot.choose($0, for: nil)?.name })
        keeper.server = self
        published(keeper.snapshot)
    }

    /// Listens on a bound descriptor.
    func listen(on descriptor: Int32) throws(SystemError) {
        listener = try Listener(
            descriptor, loop: loop, accepted: { [unowned self] in admit($0) },
            failed: { [unowned self] error in
                keeper.lastRefusal = now()
                logger.log(.acceptFailed, "New clients wait for a second or more: \(error)")
            })
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
            logger.log(
                .peerRefused, "A connection of another user was refused",
                ["uid": "\(user.map(String.init) ?? "unknown")"])
            close(descriptor)
            return
        }
        guard clients.count < maximumConnections else { return refuse(descriptor) }
        lastID += 1
        let client = Client(id: lastID, descriptor: descriptor, server: self)
        clients[lastID] = client
        traffic.connections = clients.count
        client.proceed()
    }

    /// Sends an error as the only line, for which a new connection has room, and closes the connection later: a client that is still
    /// writing would get an error from the kernel instead.
    private func refuse(_ descriptor: Int32) {
        keeper.lastRefusal = now()
        let limit = maximumConnections
        let connections = limit == 1 ? "The only connection is" : "All \(limit) connections are"
        refuse(RequestError(.busy, "\(connections) in use (socket.max-connections); try again later."), .null)
        replies.json.append("\n")
        replies.drain { Descriptor.send($0, to: descriptor) }
        replies.clear()
        shutdown(descriptor, Int32(SHUT_WR))
        refused.append(descriptor)
        if refused.count > Self.maximumRefusals { close(refused.removeFirst()) }
        loop.schedule(at: loop.now + Self.refusedTime) { [unowned self] in
            guard let index = refused.firstIndex(of: descriptor) else { return }
            close(refused.remove(at: index))
        }
    }

    /// Removes a client that ends; false if it was removed before.
    func forget(_ client: Client) -> Bool {
        guard clients.removeValue(forKey: client.id) != nil else { return false }
        if client.isAwaiting { keeper.forget(client.id) }
        traffic.connections = clients.count
        departures += 1
        if departures.isMultiple(of: Self.crowd) { giveBackMemory() }
        stopIfEmpty()
        return true
    }

    // MARK: Answers from the keeper

    /// Hands a command to the keeper, or answers a request after the fetch that it waits for.
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
        case .look: keeper.look(answer)
        case .fetch: keeper.awaitFetch(for: request, of: client, answer)
        }
    }

    private func send(_ reply: Command.Reply, _ id: RequestID?, to client: Client.ID) {
        guard let client = clients[client] else { return }
        switch reply {
        case .result(let result): replies.reply(to: id, result)
        case .icon(let icon): replies.reply(to: id, result: icon.write)
        case .refused(let error): refuse(error, id)
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

    // MARK: Answers

    /// Answers a request into ``replies``, unless it has to wait, and performs what follows from the answer.
    /// - Parameter after: what the request has waited for; nil the first time.
    func respond(
        to request: Request, id: RequestID?, from receiver: any EventReceiver, after: Answer.Later? = nil
    ) -> Answer {
        traffic.subscribers = events.subscribers
        if keptLists > 0 { traffic.requests["list", default: 0] += keptLists }
        keptLists = 0
        let (snapshot, now) = (keeper.snapshot, now())
        let answer = responder.respond(
            to: request, id: id, snapshot: snapshot, traffic: traffic, now: now, after: after, output: &replies)
        if after == nil { traffic.requests[request.method.description.name, default: 0] += 1 }
        switch answer {
        case .written(let effects):
            if case .name(let name)? = request.catalog { keeper.asked(for: name) }
            perform(effects, of: request, in: snapshot, now)
        case .subscription(let parameters, let catalog): subscribe(receiver, parameters, catalog, id)
        case .later: break
        }
        return answer
    }

    /// Answers the line at the start of the bytes if it is a common list, with a kept reply if possible.
    /// - Returns: the length of the line, or 0 if it is not answered.
    func answerAtOnce(_ bytes: Span<UInt8>, now: Timestamp, output: inout OutputQueue) -> Int {
        let length = kept.answer(bytes, serial: keeper.snapshot.serial, now: now, output: &output) {
            responder.keptList($0, of: $1, snapshot: keeper.snapshot, now: now)
        }
        if length > 0 { keptLists += 1 }
        return length
    }

    private func refuse(_ error: RequestError, _ id: RequestID?) {
        replies.reply(to: id, error: error)
    }

    private func giveBackMemory() {
        guard !isGivingBackDue else { return }
        isGivingBackDue = true
        loop.schedule(at: loop.now + Self.givingBackTime) { [unowned self] in
            isGivingBackDue = false
            keeper.shared.intake.submit { promod_give_back_memory() }
        }
    }

    /// Emits the events of a publication.
    func published(_ snapshot: Snapshot) {
        responder.published(snapshot)
        let now = now()
        events.emit(catalogs.published(snapshot, now: now), at: now)
    }

    private func subscribe(
        _ receiver: any EventReceiver, _ parameters: SubscribeParameters, _ reference: CatalogReference?,
        _ id: RequestID?
    ) {
        do {
            replies.reply(to: id, try events.subscribe(receiver, parameters, of: reference))
        } catch {
            refuse(error, id)
        }
    }

    private func perform(
        _ effects: Answer.Effects, of request: Request, in snapshot: Snapshot, _ now: Timestamp
    ) {
        events.emit(effects.events, at: now)
        if !effects.due.isEmpty, let catalog = snapshot.choose(request.catalog, for: request.method.host) {
            keeper.served(catalog.identity, due: effects.due)
        }
    }
}
