import Dispatch
package import PromoCore
import PromoWire
import Synchronization

/// Fetches one catalog over HTTPS, with at most three connections at a time; further fetches wait.
package final class HTTPSOrigin: Origin {
    private struct Places {
        var taken = 0
        var waiting: [Fetch] = []
    }

    /// The maximum number of connections. A cancelled fetch keeps its connection, with a descriptor, until its attempt to connect
    /// ends, so a sequence of reloads could accumulate hundreds of them.
    static let maximumConnections = 3

    private let connect: @Sendable (OriginRequest) throws(Failure) -> any OriginConnection
    private let places = Mutex(Places())

    /// An origin with a way to make connections.
    init(connect: @escaping @Sendable (OriginRequest) throws(Failure) -> any OriginConnection) {
        self.connect = connect
    }

    /// The origin on the network.
    package convenience init() {
        let queue = DispatchQueue(label: "promod.origin")
        let loops = EventLoops(queue: queue)
        self.init { (request) throws(Failure) in
            try HTTPSConnection(for: request, loops: loops, queue: queue)
        }
    }

    package func forAnotherCatalog() -> any Origin { HTTPSOrigin(connect: connect) }

    package func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply) -> Void
    ) -> @Sendable () -> Void {
        let fetch = Fetch(request) { reply, connection in
            connection?.close {
                Memory.giveBack()
                Memory.giveBackCode()
                self.beginNext()
            }
            completion(reply)
        }
        let begins = places.withLock { places in
            guard places.taken < Self.maximumConnections else {
                places.waiting.append(fetch)
                return false
            }
            places.taken += 1
            return true
        }
        if begins { begin(fetch) }
        return { self.cancel(fetch) }
    }

    private func begin(_ fetch: Fetch) {
        do throws(Failure) {
            fetch.begin(over: try connect(fetch.request))
        } catch {
            fetch.end(with: error)
            beginNext()
        }
    }

    /// Begins the next waiting fetch in the place of one that has ended.
    private func beginNext() {
        let next: Fetch? = places.withLock { places in
            guard !places.waiting.isEmpty else {
                places.taken -= 1
                return nil
            }
            return places.waiting.removeFirst()
        }
        if let next { begin(next) }
    }

    private func cancel(_ fetch: Fetch) {
        let isWaiting = places.withLock { places in
            let count = places.waiting.count
            places.waiting.removeAll { $0 === fetch }
            return places.waiting.count < count
        }
        if isWaiting { fetch.end(with: FetchFailures.cancelled) } else { fetch.cancel() }
    }
}
