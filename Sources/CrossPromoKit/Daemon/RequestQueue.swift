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

    /// Two queues for each socket, because requests that wait for a fetch must not delay the others.
    private static let all = Mutex<[String: (quick: RequestQueue, fetching: RequestQueue)]>([:])

    /// Where the time of waiting requests ends. One that finds a free thread needs no timer.
    private static let expiry = DispatchQueue(label: "CrossPromoKit.expiry")

    /// How many requests are with the daemon at the same time, each on a connection and a thread of its own.
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

    /// Carries a request out as soon as a thread is free, unless its time is over by then.
    func add(_ request: PendingRequest) {
        let needsThread = state.withLock { state in
            state.waiting.append(request)
            guard state.threads < width else { return false }
            state.threads += 1
            return true
        }
        // A job on a global queue would wake the process once a second for the rest of its life.
        guard needsThread else { return request.expire(on: Self.expiry) }
        DispatchQueue(label: "CrossPromoKit.requests").async { self.carryOut() }
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
