import Dispatch
@testable import PromoDaemon
import PromoWire
import Synchronization

/// A connection whose answers a test gives.
final class ScriptedConnection: OriginConnection {
    private struct State {
        var queries: [FetchQuery] = []
        var answers: [FetchAnswer] = []
        var isCancelled = false
        var isClosing = false
    }

    private let state = Mutex(State())
    private let answered = DispatchSemaphore(value: 0)
    private let closed = DispatchSemaphore(value: 0)

    var queries: [FetchQuery] { state.withLock { $0.queries } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var isClosing: Bool { state.withLock { $0.isClosing } }

    func ask(_ query: FetchQuery) throws(Failure) -> FetchAnswer {
        state.withLock { $0.queries.append(query) }
        // A test may end without an answer, and no thread waits for it for ever.
        guard answered.wait(timeout: .now() + .seconds(60)) == .success,
            let answer = state.withLock({ $0.answers.isEmpty ? nil : $0.answers.removeFirst() })
        else { throw Exchange.cancelled }
        return answer
    }

    var isOver: Bool { isCancelled }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    func close() {
        state.withLock { $0.isClosing = true }
        _ = closed.wait(timeout: .now() + .seconds(60))
    }

    /// Answers the next request.
    func answer(_ answer: FetchAnswer) {
        state.withLock { $0.answers.append(answer) }
        answered.signal()
    }

    /// Has everything released.
    func finishClosing() {
        closed.signal()
    }

    /// Lets nobody wait any longer.
    func end() {
        answered.signal()
        closed.signal()
    }
}
