import Dispatch
import PromoWire
import Synchronization

/// The requests of tasks to one socket. A few threads send them, so that a process with a thousand services needs few descriptors.
final class RequestQueue: Sendable {
    typealias Answer = Result<JSONValue, PromoError>

    private struct Job {
        let answer: Pending<Answer>
        /// Sends the request, and blocks until its answer.
        let ask: @Sendable () -> Answer
    }

    private struct State {
        var waiting: ArraySlice<Job> = []
        var threads = 0
    }

    /// Two queues for each socket, because requests that wait for a fetch must not delay the others.
    private static let all = Mutex<[String: (quick: RequestQueue, fetching: RequestQueue)]>([:])

    /// The number of concurrent requests, each on a connection and a thread of its own.
    private let width: Int
    private let state = Mutex(State())

    private init(width: Int) {
        self.width = width
    }

    /// The queue for requests to a socket.
    static func of(_ socket: String, fetching: Bool) -> RequestQueue {
        all.withLock { all in
            let queues = all[socket] ?? (RequestQueue(width: 2), RequestQueue(width: 4))
            all[socket] = queues
            return fetching ? queues.fetching : queues.quick
        }
    }

    /// Sends a request as soon as a thread is free, and waits for its answer. Cancelling the task ends the wait.
    func answer(to request: Request, from client: DaemonClient, until deadline: Deadline) async -> Answer {
        let interruption = Interruption()
        let answer = Pending<Answer>()
        let job = Job(answer: answer) {
            // Closed at once, because a thousand tasks may have their answers before they resume.
            defer { interruption.release() }
            return Result { () throws(PromoError) in try client.ask(request, until: deadline, interruption) }
        }
        return await answer.value(ifCancelled: .failure(.cancelled), cancel: { interruption.fire() }) {
            // A request that has a thread ends at its deadline by itself.
            if !add(job) { answer.expire(at: deadline, with: .failure(.timedOut(client.knownPath))) }
        }
    }

    /// Adds a job.
    /// - Returns: whether a thread is free.
    private func add(_ job: Job) -> Bool {
        let needsThread = state.withLock { state in
            state.waiting.append(job)
            guard state.threads < width else { return false }
            state.threads += 1
            return true
        }
        // A job on a global queue would wake the process once a second for the rest of its life.
        if needsThread { DispatchQueue(label: "CrossPromoKit.requests").async { self.work() } }
        return needsThread
    }

    private func work() {
        while let job = next() {
            if job.answer.begin() { job.answer.end(job.ask()) }
        }
    }

    private func next() -> Job? {
        state.withLock { state in
            if let job = state.waiting.popFirst() { return job }
            state.threads -= 1
            return nil
        }
    }
}
