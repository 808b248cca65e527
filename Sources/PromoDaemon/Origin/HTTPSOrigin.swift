import Dispatch
package import PromoCore
import PromoWire

/// Fetches one catalog, or its icons, over HTTPS. Its fetches go through the queue of all origins.
package final class HTTPSOrigin: Origin {
    private let queue: FetchQueue

    /// An origin whose fetches go through this queue.
    init(queue: FetchQueue) {
        self.queue = queue
    }

    /// The origin on the network.
    /// - Parameter allowed: how many fetches there may be at a time, with those of ``forAnotherCatalog()``.
    package convenience init(allowed: @escaping @Sendable () -> Int = { .max }) {
        let ends = DispatchQueue(label: "promod.origin")
        let loops = EventLoops(queue: ends, allowed: allowed)
        self.init(
            queue: FetchQueue(allowed: allowed) { (request) throws(Failure) in
                try HTTPSConnection(for: request, loops: loops, queue: ends)
            })
    }

    package func forAnotherCatalog() -> any Origin { HTTPSOrigin(queue: queue) }

    package func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply) -> Void
    ) -> @Sendable () -> Void {
        // The fetch holds the origin, so that no other has its identity meanwhile.
        let fetch = Fetch(request) { [self] reply, connection in
            connection?.close { [self] in
                Memory.giveBack()
                Memory.giveBackCode()
                queue.ended(of: ObjectIdentifier(self))
            }
            completion(reply)
        }
        queue.add(fetch, of: ObjectIdentifier(self))
        return { [queue] in queue.cancel(fetch) }
    }
}
