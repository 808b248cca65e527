import Dispatch
import PromoCore
@testable import PromoDaemon
import PromoWire
import Synchronization

/// An origin whose replies come from the test, one fetch at a time.
final class ScriptedOrigin: Origin {
    private struct Pending {
        var request: OriginRequest
        var completion: @Sendable (OriginReply) -> Void
    }

    private let pending = Mutex<[Pending]>([])
    private let asked = DispatchSemaphore(value: 0)
    private let given = Mutex(0)

    func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply) -> Void
    ) -> @Sendable () -> Void {
        pending.withLock { $0.append(Pending(request: request, completion: completion)) }
        asked.signal()
        return { self.given.withLock { $0 += 1 } }
    }

    func prepare(for request: OriginRequest) {}
    func forAnotherCatalog() -> any Origin { self }
    func forIcons() -> any Origin { self }
    func rest() {}

    /// How many fetches were cancelled.
    var givenUp: Int { given.withLock { $0 } }

    /// How many fetches wait for a reply.
    var waiting: Int { pending.withLock { $0.count } }

    /// The hosts of the fetches that wait for a reply.
    var hosts: [String] { pending.withLock { $0.map(\.request.url.host) }.sorted() }

    /// Replies to a fetch from a host, which has begun.
    /// - Returns: false if there is none.
    @discardableResult
    func answer(_ host: String, _ reply: OriginReply) -> Bool {
        let found = pending.withLock { pending -> Pending? in
            pending.firstIndex { $0.request.url.host == host }.map { pending.remove(at: $0) }
        }
        guard let found, asked.wait(timeout: .now()) == .success else { return false }
        found.completion(reply)
        return true
    }

    /// Waits for the next fetch and replies to it.
    /// - Returns: the request; nil if none comes for a long time.
    @discardableResult
    func answer(_ reply: OriginReply) -> OriginRequest? {
        guard asked.wait(timeout: .now() + .seconds(60)) == .success else { return nil }
        let next = pending.withLock { $0.removeFirst() }
        next.completion(reply)
        return next.request
    }
}
