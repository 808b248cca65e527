import PromoCore
import PromoWire

/// What all clients share: the responder, the counters, the events and the control plane.
final class QueryPlane {
    /// The result of a request.
    enum Outcome {
        case answered(emitted: Bool)
        /// The request was about a subscription, and is answered.
        case subscribed
        case waits(Wait)
    }

    /// What a request has to wait for.
    enum Wait {
        case command(Command, of: CatalogReference?)
        case fetch(ListParameters, of: CatalogReference?)
        /// The pictures that are missing or old.
        case icons(ListParameters, of: CatalogReference?)
    }

    /// The delay after which the memory of dropped large replies is returned to the system, so that many are returned at once.
    private static let givingBackTime: Milliseconds = 1000

    let events: EventHub
    var counters = QueryCounters()

    private var kept = KeptReplies()
    /// The number of lists answered by ``answerAtOnce(_:lines:)`` that are not in ``counters`` yet.
    private var keptLists = 0
    private let loop: PollLoop
    private let controlPlane: ControlPlane
    private let responder: Responder
    private let publication: Publication
    private let now: @Sendable () -> Timestamp
    private let limits: ServerLimits
    /// What the control plane was told is due, for the catalogs of a publication; it is told once.
    private var reported: (serial: Int, due: [String: Responder.Due]) = (0, [:])
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

    /// Answers a request, unless it has to wait.
    func respond(
        to request: Request, id: RequestID?, from receiver: any EventReceiver, lines: inout ReplyLines
    ) -> Outcome {
        defer { counters.requests[request.method.description.name, default: 0] += 1 }
        counters.subscribers = events.subscribers
        if keptLists > 0 { counters.requests["list", default: 0] += keptLists }
        keptLists = 0
        let snapshot = publication.current
        if snapshot.owner != nil { lookAgain() }
        let answer = responder.respond(
            to: request, id: id, snapshot: snapshot, counters: counters, now: now(), lines: &lines)
        switch answer {
        case .written: break
        case .listed(let due): report(due, request.catalog, snapshot)
        case .writtenWithEvents(let happened):
            events.emit(happened, of: snapshot.catalog(request.catalog)?.identity, at: now())
            return .answered(emitted: !happened.isEmpty)
        case .refused(let reason): counters.addError(reason)
        case .subscription(let parameters, let catalog):
            subscribe(receiver, parameters, catalog, id, &lines)
            return .subscribed
        case .command(let command): return .waits(.command(command, of: request.catalog))
        case .listAfterFetch(let parameters): return .waits(.fetch(parameters, of: request.catalog))
        case .listAfterIcons(let parameters): return .waits(.icons(parameters, of: request.catalog))
        }
        return .answered(emitted: false)
    }

    /// Answers the line at the start of the bytes if it is a common list, with a kept reply if possible.
    /// - Returns: the length of the line, or 0 if it is not answered.
    func answerAtOnce(_ bytes: Span<UInt8>, lines: inout ReplyLines) -> Int {
        let now = now()
        let reply = kept.reply(to: bytes, serial: publication.serial, now: now) {
            responder.keptList($0, of: $1, snapshot: publication.current, now: now)
        }
        guard let reply else { return 0 }
        lines.reply(to: reply.id, of: bytes, rest: reply.rest)
        keptLists += 1
        return reply.length
    }

    /// Writes the control plane's reply.
    func write(_ reply: Command.Reply, to id: RequestID?, _ lines: inout ReplyLines) {
        switch reply {
        case .result(let result):
            lines.reply(to: id) { result.write(to: &$0) }
        case .refused(let error):
            counters.addError(error.reason)
            lines.reply(to: id, error: error)
        }
    }

    /// Writes a list that has waited for one fetch, or for pictures, and waits for nothing else.
    func list(
        _ parameters: ListParameters, of reference: CatalogReference?, _ id: RequestID?, _ lines: inout ReplyLines
    ) {
        let snapshot = publication.current
        do {
            let catalog = try snapshot.find(reference)
            let answer = responder.list(
                parameters, of: catalog, in: snapshot, id: id, now: now(), lines: &lines)
            if case .listed(let due) = answer { report(due, reference, snapshot) }
        } catch {
            counters.addError(error.reason)
            lines.reply(to: id, error: error)
        }
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
        let addresses = snapshot.catalogs.map { ($0.name, $0.identity) }
        events.catalogsPublished(Dictionary(addresses) { first, _ in first }, at: now)
        for catalog in snapshot.catalogs {
            events.catalogPublished(
                catalog.freshness(now: now), heldBack: catalog.refresh.heldBack, catalog: catalog.name,
                address: catalog.identity, at: now)
            guard let icons = catalog.icons else { continue }
            events.iconsPublished(icons.arrivals, catalog: catalog.name, address: catalog.identity, at: now)
        }
    }

    private func subscribe(
        _ receiver: any EventReceiver, _ parameters: SubscribeParameters, _ catalog: CatalogReference?,
        _ id: RequestID?, _ lines: inout ReplyLines
    ) {
        do {
            let result = try events.subscribe(receiver, parameters, of: catalog, limit: limits.subscribers)
            lines.reply(to: id) { result.write(to: &$0) }
        } catch {
            counters.addError(error.reason)
            lines.reply(to: id, error: error)
        }
    }

    /// Another promod keeps what was answered, so its files are looked at for the next answer.
    private func lookAgain() {
        guard loop.now >= nextLook else { return }
        nextLook = loop.now + Self.lookGap
        controlPlane.perform { $0.follow() }
    }

    private func report(_ due: Responder.Due, _ reference: CatalogReference?, _ snapshot: Snapshot) {
        guard !due.isEmpty, let name = snapshot.catalog(reference)?.name else { return }
        if reported.serial != snapshot.serial { reported = (snapshot.serial, [:]) }
        let new = due.subtracting(reported.due[name, default: []])
        guard !new.isEmpty else { return }
        reported.due[name, default: []].formUnion(new)
        controlPlane.perform { $0.served(name, due: new) }
    }
}
