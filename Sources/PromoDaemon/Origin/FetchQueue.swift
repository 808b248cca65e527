import PromoCore
import PromoWire
import Synchronization

/// The fetches of all origins: at most three at a time for each, and as many of all together as are allowed. Others wait.
/// Half of the places are for origins that have none yet, so that a few that never answer delay no other.
///
/// A fetch keeps its place until its process has ended.
final class FetchQueue: Sendable {
    private struct State {
        var taken: [ObjectIdentifier: Int] = [:]
        var waiting: [(fetch: Fetch, origin: ObjectIdentifier)] = []

        /// Takes the places for those that need not wait any longer.
        mutating func takePlaces(of maximum: Int) -> [(fetch: Fetch, origin: ObjectIdentifier)] {
            let maximum = max(1, maximum)
            var free = maximum - taken.values.reduce(0, +)
            var beginning: [(fetch: Fetch, origin: ObjectIdentifier)] = []
            waiting.removeAll { fetch, origin in
                let count = taken[origin, default: 0]
                let least = count == 0 ? 0 : maximum / 2
                guard count < FetchQueue.maximumOfOrigin, free > least else { return false }
                taken[origin] = count + 1
                free -= 1
                beginning.append((fetch, origin))
                return true
            }
            return beginning
        }

        mutating func release(_ origin: ObjectIdentifier) {
            let rest = taken[origin, default: 1] - 1
            taken[origin] = rest == 0 ? nil : rest
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

    /// Begins a fetch of an origin, or lets it wait.
    func add(_ fetch: Fetch, of origin: ObjectIdentifier) {
        state.withLock { $0.waiting.append((fetch, origin)) }
        beginWaiting()
    }

    /// Whether a fetch waits for a place.
    var isCrowded: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Begins those for which the end of a fetch has made room.
    func ended(of origin: ObjectIdentifier) {
        state.withLock { $0.release(origin) }
        beginWaiting()
    }

    /// Cancels a fetch, which completes soon after.
    func cancel(_ fetch: Fetch) {
        let isWaiting = state.withLock { state in
            let count = state.waiting.count
            state.waiting.removeAll { $0.fetch === fetch }
            return state.waiting.count < count
        }
        if isWaiting { fetch.end(with: FetchFailures.cancelled) } else { fetch.cancel() }
    }

    private func beginWaiting() {
        let allowed = allowed()
        for (fetch, origin) in state.withLock({ $0.takePlaces(of: allowed) }) {
            do throws(Failure) {
                fetch.begin(over: try connect(fetch.request))
            } catch {
                fetch.end(with: error)
                ended(of: origin)
            }
        }
    }
}
