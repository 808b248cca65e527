import Dispatch
import PromoWire
import Synchronization

/// A request of a task that waits for its answer. It is answered once, by the daemon or by its cancellation.
final class PendingRequest: Sendable {
    private typealias Continuation = CheckedContinuation<Result<JSONValue, PromoError>, Never>

    private enum State: Sendable {
        case new
        case waiting(Continuation)
        case asking(Continuation, Interruption)
        case over

        /// Ends the wait for a thread; nil if the request does not wait for one.
        mutating func leaveQueue() -> Continuation? {
            guard case .waiting(let continuation) = self else { return nil }
            self = .over
            return continuation
        }
    }

    private let client: DaemonClient
    private let request: Request
    private let deadline: Deadline
    private let state = Mutex(State.new)

    /// Creates a request whose time begins now.
    init(_ request: Request, of client: DaemonClient, timeout: Duration) {
        self.client = client
        self.request = request
        deadline = .after(timeout)
    }

    /// Ends the wait for a thread when the time of the request is over.
    func expire(on queue: DispatchQueue) {
        queue.asyncAfter(deadline: deadline.dispatchTime) {
            guard let continuation = self.state.withLock({ $0.leaveQueue() }) else { return }
            let path = (try? self.client.socketPath()) ?? self.client.socket
            continuation.resume(returning: .failure(.timedOut(path)))
        }
    }

    /// Waits in a queue, and for the answer. Cancelling the task ends the wait.
    func answer(in queue: RequestQueue) async -> Result<JSONValue, PromoError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard case .new = state else { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isCancelled { continuation.resume(returning: .failure(.cancelled)) } else { queue.add(self) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Asks the daemon, unless the request was cancelled, and blocks until the answer.
    func carryOut() {
        let interruption = state.withLock { state -> Interruption? in
            guard case .waiting(let continuation) = state else { return nil }
            let interruption = Interruption()
            state = .asking(continuation, interruption)
            return interruption
        }
        guard let interruption else { return }
        let answer = Result { () throws(PromoError) in
            try client.ask(adapting: request, deadline: deadline, interruption: interruption)
        }
        let continuation = state.withLock { state -> Continuation? in
            guard case .asking(let continuation, _) = state else { return nil }
            state = .over
            return continuation
        }
        continuation?.resume(returning: answer)
    }

    private func cancel() {
        let waiting = state.withLock { state -> Continuation? in
            switch state {
            case .asking(_, let interruption):
                interruption.fire()
                return nil
            case .waiting: return state.leaveQueue()
            case .new:
                state = .over
                return nil
            case .over: return nil
            }
        }
        waiting?.resume(returning: .failure(.cancelled))
    }
}
