import CLinux
import PromoCore
import PromoWire

/// What all clients share: the responder, the counters, the events and the keeper.
final class RequestHandler {
    /// The delay after which the memory of large buffers is returned to the system, so that many are returned at once.
    private static let givingBackTime: Milliseconds = 1000

    let events: EventHub
    var counters = QueryCounters()

    private var catalogs = PublishedCatalogs()
    private var kept = KeptReplies()
    /// The number of lists answered by ``answerAtOnce(_:now:output:)`` that are not in ``counters`` yet.
    private var keptLists = 0
    private let loop: PollLoop
    private let keeper: Keeper
    private var responder: Responder
    let now: @Sendable () -> Timestamp
    private var isGivingBackDue = false

    init(
        loop: PollLoop, keeper: Keeper, responder: Responder,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.loop = loop
        self.keeper = keeper
        self.responder = responder
        self.now = now
        events = EventHub(epoch: responder.epoch) { loop.later($0) }
    }

    /// Answers a request, unless it has to wait, and performs what follows from the answer.
    /// - Parameter after: what the request has waited for; nil the first time.
    func respond(
        to request: Request, id: RequestID?, from receiver: any EventReceiver, after: Answer.Later? = nil,
        output: inout OutputQueue
    ) -> Answer {
        counters.subscribers = events.subscribers
        if keptLists > 0 { counters.requests["list", default: 0] += keptLists }
        keptLists = 0
        let (snapshot, now) = (keeper.snapshot, now())
        let answer = responder.respond(
            to: request, id: id, snapshot: snapshot, counters: counters, now: now, after: after, output: &output)
        if after == nil { counters.requests[request.method.description.name, default: 0] += 1 }
        switch answer {
        case .written(let effects): perform(effects, of: request, in: snapshot, now)
        case .subscription(let parameters, let catalog): subscribe(receiver, parameters, catalog, id, &output)
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

    /// Writes the keeper's reply.
    func write(_ reply: Command.Reply, to id: RequestID?, _ output: inout OutputQueue) {
        switch reply {
        case .result(let result): output.reply(to: id, result)
        case .icon(let icon): output.reply(to: id, result: icon.write)
        case .refused(let error): refuse(error, id, &output)
        }
    }

    private func refuse(_ error: RequestError, _ id: RequestID?, _ output: inout OutputQueue) {
        counters.addError(error.reason)
        output.reply(to: id, error: error)
    }

    /// Returns memory to the system soon after a connection with a large unread reply, or with large requests, has ended.
    func largeBufferFreed() {
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
        let meant = events.resolve { snapshot.choose($0, for: nil)?.identity }
        let changes = catalogs.published(snapshot, now: now)
        for (event, identity) in changes { events.emit([event], of: identity, at: now) }
        for catalog in snapshot.catalogs where meant.contains(catalog.identity) {
            let event = catalog.event(now: now)
            if !changes.contains(where: { $0.event == event }) {
                events.emit([event], of: catalog.identity, at: now)
            }
        }
    }

    private func subscribe(
        _ receiver: any EventReceiver, _ parameters: SubscribeParameters, _ reference: CatalogReference?,
        _ id: RequestID?, _ output: inout OutputQueue
    ) {
        let identity = reference.flatMap { keeper.snapshot.choose($0, for: nil)?.identity }
        do {
            let result = try events.subscribe(
                receiver, parameters, of: reference.map { ($0, identity ?? $0.text) })
            output.reply(to: id, result)
        } catch {
            refuse(error, id, &output)
        }
    }

    private func perform(
        _ effects: Answer.Effects, of request: Request, in snapshot: Snapshot, _ now: Timestamp
    ) {
        if let error = effects.error { counters.addError(error) }
        guard !effects.events.isEmpty || !effects.due.isEmpty,
            let catalog = snapshot.choose(request.catalog, for: request.method.host)
        else { return }
        if !effects.events.isEmpty { events.emit(effects.events, of: catalog.identity, at: now) }
        if !effects.due.isEmpty { keeper.served(catalog.identity, due: effects.due) }
    }
}
