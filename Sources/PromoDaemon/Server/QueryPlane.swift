import PromoCore
import PromoWire

/// What all clients share: the responder, the counters, the events and the control plane.
final class QueryPlane {
    /// The delay after which the memory of dropped large replies is returned to the system, so that many are returned at once.
    private static let givingBackTime: Milliseconds = 1000

    let events: EventHub
    var counters = QueryCounters()

    private var catalogs = PublishedCatalogs()
    private var kept = KeptReplies()
    /// The number of lists answered by ``answerAtOnce(_:lines:)`` that are not in ``counters`` yet.
    private var keptLists = 0
    private let loop: PollLoop
    private let controlPlane: ControlPlane
    private var responder: Responder
    private let publication: Publication
    let now: @Sendable () -> Timestamp
    private let limits: ServerLimits
    /// What the control plane was told is due, for the catalogs of a publication; it is told once.
    private var reported: (serial: Int, due: [String: Answer.Due]) = (0, [:])
    private var isGivingBackDue = false
    /// The shortest time between two looks at the files that another promod keeps.
    private static let lookGap: Milliseconds = 1000
    private var nextLook: Milliseconds = 0

    init(
        loop: PollLoop, controlPlane: ControlPlane, responder: Responder, publication: Publication,
        limits: ServerLimits, now: @escaping @Sendable () -> Timestamp
    ) {
        self.loop = loop
        self.controlPlane = controlPlane
        self.responder = responder
        self.publication = publication
        self.limits = limits
        self.now = now
        events = EventHub(turns: loop, epoch: responder.epoch)
    }

    /// Answers a request, unless it has to wait, and performs what follows from the answer.
    /// - Parameter after: what it has waited for; nil if it was not asked before.
    func respond(
        to request: Request, id: RequestID?, from receiver: any EventReceiver, after: Answer.Later? = nil,
        output: inout OutputQueue
    ) -> Answer {
        counters.subscribers = events.subscribers
        if keptLists > 0 { counters.requests["list", default: 0] += keptLists }
        keptLists = 0
        let (snapshot, now) = (publication.current, now())
        if snapshot.owner != nil { lookAgain() }
        let answer = responder.respond(
            to: request, id: id, snapshot: snapshot, counters: counters, now: now, after: after, output: &output)
        if after == nil { counters.requests[request.method.description.name, default: 0] += 1 }
        switch answer {
        case .written(let effects): perform(effects, of: request.catalog, in: snapshot, now)
        case .subscription(let parameters, let catalog): subscribe(receiver, parameters, catalog, id, &output)
        case .later: break
        }
        return answer
    }

    /// Answers the line at the start of the bytes if it is a common list, with a kept reply if possible.
    /// - Returns: the length of the line, or 0 if it is not answered.
    func answerAtOnce(_ bytes: Span<UInt8>, now: Timestamp, output: inout OutputQueue) -> Int {
        let length = kept.answer(bytes, serial: publication.serial, now: now, output: &output) {
            responder.keptList($0, of: $1, snapshot: publication.current, now: now)
        }
        if length > 0 { keptLists += 1 }
        return length
    }

    /// Writes the control plane's reply.
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

    /// A connection ended that had a large reply which its client did not read, or a large request. Soon after, free memory is returned
    /// to the system.
    func largeBufferFreed() {
        guard !isGivingBackDue else { return }
        isGivingBackDue = true
        loop.schedule(at: loop.now + Self.givingBackTime) { [unowned self] in
            isGivingBackDue = false
            controlPlane.perform { _ in Memory.giveBack() }
        }
    }

    /// A snapshot was published, or the published catalog has expired.
    func published(_ snapshot: Snapshot) {
        let now = now()
        let names = snapshot.catalogs.flatMap { catalog in
            ([catalog.name] + catalog.aliases.map(\.name)).map { ($0, catalog.name) }
        }
        events.named(Dictionary(names) { first, _ in first })
        for (event, address) in catalogs.published(snapshot, now: now) { events.emit([event], of: address, at: now) }
    }

    private func subscribe(
        _ receiver: any EventReceiver, _ parameters: SubscribeParameters, _ catalog: CatalogReference?,
        _ id: RequestID?, _ output: inout OutputQueue
    ) {
        do {
            let result = try events.subscribe(receiver, parameters, of: catalog, limit: limits.subscribers)
            output.reply(to: id, result)
        } catch {
            refuse(error, id, &output)
        }
    }

    /// Another promod keeps what was answered, so its files are looked at for the next answer.
    private func lookAgain() {
        guard loop.now >= nextLook else { return }
        nextLook = loop.now + Self.lookGap
        controlPlane.perform { $0.follow() }
    }

    private func perform(
        _ effects: Answer.Effects, of reference: CatalogReference?, in snapshot: Snapshot, _ now: Timestamp
    ) {
        if let error = effects.error { counters.addError(error) }
        guard !effects.events.isEmpty || !effects.due.isEmpty, let catalog = snapshot.catalog(reference) else { return }
        if !effects.events.isEmpty { events.emit(effects.events, of: catalog.identity, at: now) }
        if reported.serial != snapshot.serial { reported = (snapshot.serial, [:]) }
        let new = effects.due.subtracting(reported.due[catalog.name, default: []])
        guard !new.isEmpty else { return }
        reported.due[catalog.name, default: []].formUnion(new)
        controlPlane.perform { [name = catalog.name] in $0.served(name, due: new) }
    }
}
