import Dispatch
import PromoWire
import Synchronization

/// The requests to one socket that wait for one of a few threads, so that a thousand services of a process need no more descriptors
/// than a few.
final class RequestQueue: Sendable {
    private struct State {
        var waiting: ArraySlice<PendingRequest> = []
        var threads = 0
    }

    /// How many requests are with the daemon at the same time, each on a connection and a thread of its own.
    private static let width = 2

    /// Two queues for each socket, because requests that wait for a fetch must not delay the others.
    private static let all = Mutex<[String: (quick: RequestQueue, fetching: RequestQueue)]>([:])

    private let state = Mutex(State())

    /// The queue for requests to a socket.
    static func of(_ socket: String, fetching: Bool) -> RequestQueue {
        all.withLock { all in
            let queues = all[socket] ?? (RequestQueue(), RequestQueue())
            all[socket] = queues
            return fetching ? queues.fetching : queues.quick
        }
    }

    /// Carries a request out as soon as a thread is free.
    func add(_ request: PendingRequest) {
        let needsThread = state.withLock { state in
            state.waiting.append(request)
            guard state.threads < Self.width else { return false }
            state.threads += 1
            return true
        }
        // A job on a global queue would wake the process once a second for the rest of its life.
        if needsThread { DispatchQueue(label: "CrossPromoKit.requests").async { self.carryOut() } }
    }

    private func carryOut() {
        while let request = next() { request.carryOut() }
    }

    private func next() -> PendingRequest? {
        state.withLock { state in
            if let request = state.waiting.popFirst() { return request }
            state.threads -= 1
            return nil
        }
    }
}
