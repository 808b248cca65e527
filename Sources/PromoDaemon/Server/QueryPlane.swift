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

    var counters = QueryCounters()
    /// The publication for which the refresh plane was told that somebody saw an expired catalog; once is enough.
    private var expiryToldFor: Int?

    init(
        eventLoop: any EventLoop, refreshPlane: RefreshPlane, responder: Responder, publication: Publication,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.eventLoop = eventLoop
        self.refreshPlane = refreshPlane
        self.responder = responder
        self.publication = publication
        self.now = now
    }

    /// Answers a request into the writer; true where the answer has to come from the refresh plane instead.
    func respond(to request: Request, id: RequestID, writer: inout JSONWriter) -> Bool {
        let snapshot = publication.current
        let answer = responder.respond(
            to: request, id: id, snapshot: snapshot, counters: counters, now: now(), writer: &writer)
        switch answer {
        case .written: break
        case .writtenFromExpiredCatalog: tellExpired(snapshot.serial)
        case .refused: counters.errors += 1
        case .deferred: return true
        }
        counters.requests[request.method, default: 0] += 1
        return false
    }

    /// Has the refresh plane answer; the completion is called on the event loop with what to write.
    func respondLater(
        to request: Request, id: RequestID, completion: @escaping (_ write: (inout JSONWriter) -> Void) -> Void
    ) {
        switch request {
        case .list(let parameters):
            later({ plane, done in plane.waitForFetch { done(.success(())) } }) { [self] (_: Result<Void, RequestError>) in
                var again = parameters
                again.wait = false
                completion { _ = self.respond(to: .list(again), id: id, writer: &$0) }
            }
        case .refresh(let parameters):
            reply(to: request, id, completion, { $0.refresh(wait: parameters.wait, completion: $1) }) { $1.write(to: &$0) }
        case .clear:
            reply(to: request, id, completion, { plane, done in plane.clear { done(.success(())) } }) { writer, _ in
                writer.object { $0.member("cleared", true) }
            }
        case .reload:
            let start: @Sendable (isolated RefreshPlane, @escaping @Sendable (Result<Void, RequestError>) -> Void) -> Void = {
                plane, done in
                plane.reload { bad in
                    done(bad.map { .failure(RequestError(.badConfiguration, $0.description)) } ?? .success(()))
                }
            }
            reply(to: request, id, completion, start) { writer, _ in writer.object { $0.member("reloaded", true) } }
        case .tap, .impression, .status:
            completion { _ = self.respond(to: request, id: id, writer: &$0) }
        }
    }

    private func reply<Value: Sendable>(
        to request: Request, _ id: RequestID, _ completion: @escaping (_ write: (inout JSONWriter) -> Void) -> Void,
        _ start: @escaping @Sendable (
            isolated RefreshPlane, @escaping @Sendable (Result<Value, RequestError>) -> Void
        ) -> Void,
        result: @escaping (inout JSONWriter, Value) -> Void
    ) {
        later(start) { [self] (outcome: Result<Value, RequestError>) in
            counters.requests[request.method, default: 0] += 1
            switch outcome {
            case .success(let value):
                completion { writer in writer.reply(to: id) { result(&$0, value) } }
            case .failure(let error):
                counters.errors += 1
                completion { $0.reply(to: id, error: error) }
            }
        }
    }

    /// Starts something on the refresh plane and comes back to the event loop with its result.
    private func later<Value: Sendable>(
        _ start: @escaping @Sendable (
            isolated RefreshPlane, @escaping @Sendable (Result<Value, RequestError>) -> Void
        ) -> Void,
        then finish: @escaping (Result<Value, RequestError>) -> Void
    ) {
        let promise = eventLoop.makePromise(of: Result<Value, RequestError>.self)
        refreshPlane.perform { plane in start(plane) { promise.succeed($0) } }
        promise.futureResult.assumeIsolated().whenSuccess(finish)
    }

    private func tellExpired(_ serial: Int) {
        guard expiryToldFor != serial else { return }
        expiryToldFor = serial
        refreshPlane.perform { $0.expiredCatalogServed() }
    }
}
