import PromoCore
@testable import PromoDaemon
import PromoWire
import Synchronization

/// A connection whose responses a test gives.
final class ScriptedConnection: OriginConnection {
    private struct State {
        var queries: [Exchange.Query] = []
        var completion: (@Sendable (OriginAnswer) -> Void)?
        var isCancelled = false
        var closed: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var queries: [Exchange.Query] { state.withLock { $0.queries } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var isClosing: Bool { state.withLock { $0.closed != nil } }

    func send(
        _ query: Exchange.Query, milliseconds: Milliseconds, completion: @escaping @Sendable (OriginAnswer) -> Void
    ) {
        state.withLock { state in
            state.queries.append(query)
            state.completion = completion
        }
    }

    var isOver: Bool { isCancelled }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    func close(_ completion: @escaping @Sendable () -> Void) {
        state.withLock { $0.closed = completion }
    }

    /// Completes the request under way.
    func answer(_ result: Result<ReceivedResponse, Failure>) {
        let completion = state.withLock { state in
            defer { state.completion = nil }
            return state.completion
        }
        completion?(OriginAnswer(result: result))
    }

    /// Reports that everything is released.
    func finishClosing() {
        state.withLock { $0.closed }?()
    }
}
