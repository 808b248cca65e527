import Dispatch
import PromoCore
@testable import PromoDaemon
import Synchronization

/// An origin whose answers a test gives, one fetch at a time.
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

    /// How many fetches were given up.
    var givenUp: Int { given.withLock { $0 } }

    /// How many fetches wait for an answer.
    var waiting: Int { pending.withLock { $0.count } }

    /// Waits for the next fetch and answers it.
    /// - Returns: what was asked; nil where nobody asks for a long time.
    @discardableResult
    func answer(_ reply: OriginReply) -> OriginRequest? {
        guard asked.wait(timeout: .now() + .seconds(10)) == .success else { return nil }
        let next = pending.withLock { $0.removeFirst() }
        next.completion(reply)
        return next.request
    }
}
