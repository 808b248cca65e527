import Logging
import NIOCore
import PromoCore
import PromoWire

/// What all connections share, on the one event loop: the responder, the counters, the way to the refresh plane.
final class QueryPlane {
    let eventLoop: any EventLoop
    let refreshPlane: RefreshPlane
    private let responder: Responder
    private let publication: Publication
    private let now: @Sendable () -> Timestamp
    private let limits: ServerLimits
    private let logger: Logger

    let events: EventHub
    var counters = QueryCounters()
    /// The publication for which the refresh plane was told that somebody saw an expired catalog; once is enough.
    private var expiryToldFor: Int?
    private var isGivingBackDue = false

    init(
        eventLoop: any EventLoop, refreshPlane: RefreshPlane, responder: Responder, publication: Publication,
        limits: ServerLimits, now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.eventLoop = eventLoop
        self.refreshPlane = refreshPlane
        self.responder = responder
        self.publication = publication
        self.limits = limits
        self.now = now
        self.logger = logger
        events = EventHub(eventLoop: eventLoop, epoch: responder.epoch)
    }

    /// Answers a request into the writer; true where the answer has to come from the refresh plane instead.
    func respond(
        to request: Request, id: RequestID, from receiver: any EventReceiver, writer: inout JSONWriter
    ) -> Bool {
        let snapshot = publication.current
        if case .subscribe(let parameters) = request, snapshot.busy == nil {
            subscribe(receiver, parameters, id, &writer)
            return false
        }
        counters.subscribers = events.subscribers
        let answer = responder.respond(
            to: request, id: id, snapshot: snapshot, counters: counters, now: now(), writer: &writer)
        switch answer {
        case .written: break
        case .writtenFromExpiredCatalog: tellExpired(snapshot.serial)
        case .writtenWithEvents(let happened): events.emit(happened, at: now())
        case .refused: counters.errors += 1
        case .deferred: return true
        }
        counters.requests[request.method, default: 0] += 1
        return false
    }

    /// Has the refresh plane answer; the completion is called on the event loop with what writes the reply.
    func respondLater(
        to request: Request, id: RequestID, from receiver: any EventReceiver,
        completion: @escaping (_ write: (inout JSONWriter) -> Void) -> Void
    ) {
        let promise = eventLoop.makePromise(of: RefreshPlane.Reply.self)
        refreshPlane.perform { $0.carryOut(request) { promise.succeed($0) } }
        promise.futureResult.assumeIsolated().whenSuccess { [self] reply in
            completion { write(reply, to: request, id: id, from: receiver, writer: &$0) }
        }
    }

    private func write(
        _ reply: RefreshPlane.Reply, to request: Request, id: RequestID, from receiver: any EventReceiver,
        writer: inout JSONWriter
    ) {
        switch reply {
        case .result(let result):
            writer.reply(to: id) { result.write(to: &$0) }
        case .refused(let error):
            counters.errors += 1
            writer.reply(to: id, error: error)
        case .published:
            var request = request
            if case .list(var parameters) = request {
                // A fetch that ended may have been followed by another; this answer has waited for one.
                parameters.wait = false
                request = .list(parameters)
            }
            guard respond(to: request, id: id, from: receiver, writer: &writer) else { return }
            counters.errors += 1
            logger.log(
                .defect, "promod has a defect: an answer that was promised did not come",
                ["method": "\(request.method)"])
            writer.reply(to: id, error: RequestError(.internal, "promod has a defect in \(request.method)."))
        }
        counters.requests[request.method, default: 0] += 1
    }

    /// A connection ended with a reply that its client did not read. Soon after the last of many, what they held is given back.
    func largeReplyDropped() {
        guard !isGivingBackDue else { return }
        isGivingBackDue = true
        eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [self] in
            isGivingBackDue = false
            refreshPlane.perform { _ in Memory.giveBack() }
        }
    }

    /// A snapshot was published, or what was published has passed its time.
    func published(_ snapshot: Snapshot) {
        let now = now()
        events.catalogPublished(snapshot.freshness(now: now), at: now)
    }

    private func subscribe(
        _ receiver: any EventReceiver, _ parameters: SubscribeParameters, _ id: RequestID, _ writer: inout JSONWriter
    ) {
        counters.requests["subscribe", default: 0] += 1
        do {
            let result = try events.subscribe(receiver, parameters, limit: limits.subscribers)
            writer.reply(to: id) { result.write(to: &$0) }
        } catch {
            counters.errors += 1
            writer.reply(to: id, error: error)
        }
    }

    private func tellExpired(_ serial: Int) {
        guard expiryToldFor != serial else { return }
        expiryToldFor = serial
        refreshPlane.perform { $0.expiredCatalogServed() }
    }
}
