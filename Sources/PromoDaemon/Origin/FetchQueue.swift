import PromoCore
import PromoWire
import Synchronization

/// A fetch that waits for its place, or has one.
final class Fetch: Sendable {
    private struct State {
        var connection: (any OriginConnection)?
        var isCancelled = false
    }

    let request: OriginRequest
    /// Held, so that no other origin has its identity meanwhile.
    let origin: HTTPSOrigin
    /// Called once.
    let completion: @Sendable (OriginReply, Proxies.Used?) -> Void
    private let state = Mutex(State())

    init(
        _ request: OriginRequest, of origin: HTTPSOrigin,
        completion: @escaping @Sendable (OriginReply, Proxies.Used?) -> Void
    ) {
        self.request = request
        self.origin = origin
        self.completion = completion
    }

    /// The requests go over this connection from now on.
    func connect(_ connection: any OriginConnection) {
        let isCancelled = state.withLock { state in
            state.connection = connection
            return state.isCancelled
        }
        if isCancelled { connection.cancel() }
    }

    /// Cancels a fetch that has begun or is about to; it completes soon after.
    func cancel() {
        let connection = state.withLock { state in
            state.isCancelled = true
            return state.connection
        }
        connection?.cancel()
    }

    /// Ends a fetch that has not begun.
    func fail(_ failure: Failure) {
        completion(.failed(failure, httpStatus: nil, retryAfter: nil), nil)
    }
}

/// The fetches of all origins: at most three at a time for each, and as many of all together as are allowed. Others wait.
/// Half of the places are for origins that have none yet, so that a few that never answer delay no other.
///
/// A fetch keeps its place until its process has ended.
final class FetchQueue: Sendable {
    private struct State {
        var taken: [ObjectIdentifier: Int] = [:]
        var waiting: [Fetch] = []

        /// Takes the places for those that need not wait any longer.
        mutating func takePlaces(of maximum: Int) -> [Fetch] {
            var free = maximum - taken.values.reduce(0, +)
            var beginning: [Fetch] = []
            waiting.removeAll { fetch in
                let count = taken[ObjectIdentifier(fetch.origin), default: 0]
                let least = count == 0 ? 0 : maximum / 2
                guard count < FetchQueue.maximumOfOrigin, free > least else { return false }
                taken[ObjectIdentifier(fetch.origin)] = count + 1
                free -= 1
                beginning.append(fetch)
                return true
            }
            return beginning
        }
    }

    /// The most fetches of one origin at a time.
    static let maximumOfOrigin = 3
    /// The most fetches that are ever allowed at a time; fewer if there are few descriptors.
    static let maximum = 32

    private let connect: @Sendable (OriginRequest) throws(Failure) -> any OriginConnection
    private let allowed: @Sendable () -> Int
    private let state = Mutex(State())

    /// A queue without fetches.
    /// - Parameters:
    ///   - allowed: how many fetches there may be at a time. One is always begun.
    ///   - connect: makes a connection.
    init(
        allowed: @escaping @Sendable () -> Int,
        connect: @escaping @Sendable (OriginRequest) throws(Failure) -> any OriginConnection
    ) {
        self.allowed = allowed
        self.connect = connect
    }

    /// Begins a fetch, or lets it wait.
    func add(_ fetch: Fetch) {
        state.withLock { $0.waiting.append(fetch) }
        beginWaiting()
    }

    /// Whether a fetch waits for a place.
    var isCrowded: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Begins those for which the end of an origin's fetch has made room.
    func release(_ origin: HTTPSOrigin) {
        state.withLock { state in
            let rest = state.taken[ObjectIdentifier(origin), default: 1] - 1
            state.taken[ObjectIdentifier(origin)] = rest == 0 ? nil : rest
        }
        beginWaiting()
    }

    /// Cancels a fetch, which completes soon after.
    func cancel(_ fetch: Fetch) {
        let isWaiting = state.withLock { state in
            let count = state.waiting.count
            state.waiting.removeAll { $0 === fetch }
            return state.waiting.count < count
        }
        if isWaiting { fetch.fail(Exchange.cancelled) } else { fetch.cancel() }
    }

    private func beginWaiting() {
        let maximum = max(1, allowed())
        for fetch in state.withLock({ $0.takePlaces(of: maximum) }) {
            do throws(Failure) {
                fetch.origin.begin(fetch, over: try connect(fetch.request))
            } catch {
                fetch.fail(error)
                release(fetch.origin)
            }
        }
    }
}
