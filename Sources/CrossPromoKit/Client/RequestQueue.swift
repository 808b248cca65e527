import Dispatch
import PromoSystem
import PromoWire

/// The requests of tasks to one socket, one after another on one connection, which is closed when there are no more.
final class RequestQueue: Sendable {
    typealias Answer = Result<JSONValue, PromoError>

    private struct Job {
        let answer: Pending<Answer>
        /// Sends the request, and blocks until its answer.
        let ask: @Sendable (inout DaemonConnection?) -> Answer
    }

    private struct State {
        var waiting: [Job] = []
        var isWorking = false
    }

    /// Two queues for each socket, because requests that wait for a fetch must not delay the others.
    private static let all = Guarded<[String: (quick: RequestQueue, fetching: RequestQueue)]>([:])

    private let state = Guarded(State())

    /// The queue for requests to a socket.
    static func of(_ socket: String, fetching: Bool) -> RequestQueue {
        all.withLock { all in
            let queues = all[socket] ?? (RequestQueue(), RequestQueue())
            all[socket] = queues
            return fetching ? queues.fetching : queues.quick
        }
    }

    /// Sends a request as soon as those before it are answered, and waits for its answer. Cancelling the task ends the wait.
    func answer(to request: Request, from client: DaemonClient, until deadline: Deadline) async -> Answer {
        let interruption = Interruption()
        let answer = Pending<Answer>()
        let job = Job(answer: answer) { connection in
            // Closed at once, because a thousand tasks may have their answers before they resume.
            defer { interruption.release() }
            do throws(PromoError) {
                return .success(try client.ask(request, on: &connection, until: deadline, interruption))
            } catch {
                return .failure(error)
            }
        }
        return await answer.value(ifCancelled: .failure(.cancelled), cancel: { interruption.fire() }) {
            // A request that has begun ends at its deadline by itself.
            if !add(job) { answer.expire(at: deadline, with: .failure(.timedOut(client.knownPath))) }
        }
    }

    /// Adds a job.
    /// - Returns: whether it begins at once.
    private func add(_ job: Job) -> Bool {
        let isFirst = state.withLock { state in
            state.waiting.append(job)
            defer { state.isWorking = true }
            return !state.isWorking
        }
        // A job on a global queue would wake the process once a second for the rest of its life.
        if isFirst { DispatchQueue(label: "CrossPromoKit.requests").async { self.work() } }
        return isFirst
    }

    private func work() {
        var connection: DaemonConnection?
        while let job = next() {
            if job.answer.begin() { job.answer.end(job.ask(&connection)) }
        }
    }

    private func next() -> Job? {
        state.withLock { state in
            state.isWorking = !state.waiting.isEmpty
            return state.isWorking ? state.waiting.removeFirst() : nil
        }
    }
}
