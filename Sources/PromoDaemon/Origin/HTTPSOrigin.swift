package import PromoCore
import PromoWire
import Synchronization

/// Fetches one catalog, or its icons, over HTTPS. Its fetches go through the queue of all origins.
package final class HTTPSOrigin: Origin {
    /// What a fetch has left for the next one, with its place in the queue.
    private struct Kept {
        let connection: any OriginConnection
        let caFile: String?
        let proxies: Proxies
    }

    private let queue: FetchQueue
    private let keeps: Bool
    private let kept = Mutex<Kept?>(nil)

    /// An origin whose fetches go through this queue.
    /// - Parameter keeps: whether one fetch leaves its connection to the next.
    init(queue: FetchQueue, keeps: Bool = false) {
        self.queue = queue
        self.keeps = keeps
    }

    /// The origin on the network.
    /// - Parameter allowed: how many fetches there may be at a time, with those of ``forAnotherCatalog()``.
    package convenience init(allowed: @escaping @Sendable () -> Int = { .max }) {
        self.init(
            queue: FetchQueue(allowed: allowed) { (request) throws(Failure) in try FetchChild(for: request) })
    }

    package func forAnotherCatalog() -> any Origin { HTTPSOrigin(queue: queue) }

    package func forIcons() -> any Origin { HTTPSOrigin(queue: queue, keeps: true) }

    package func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply, Proxies.Used?) -> Void
    ) -> @Sendable () -> Void {
        // The fetch holds the origin, so that no other has its identity meanwhile.
        let fetch = Fetch(request) { [self] outcome in
            if let connection = outcome.connection { ended(connection, request) }
            completion(outcome.reply, outcome.proxy)
        }
        if let connection = takeKept(for: request) {
            fetch.begin(over: connection)
        } else {
            queue.add(fetch, of: ObjectIdentifier(self))
        }
        return { [queue] in queue.cancel(fetch) }
    }

    package func rest() {
        let connection = kept.withLock { kept in
            defer { kept = nil }
            return kept?.connection
        }
        if let connection { close(connection) }
    }

    private func ended(_ connection: any OriginConnection, _ request: OriginRequest) {
        // Others that wait for a place get this one.
        guard keeps, !connection.isOver, !queue.isCrowded else { return close(connection) }
        kept.withLock { $0 = Kept(connection: connection, caFile: request.caFile, proxies: request.proxies) }
        // It may have been cancelled, and all of them given back, in between.
        if connection.isOver { rest() }
    }

    /// The connection that the last fetch has left, if it is of use for this one.
    private func takeKept(for request: OriginRequest) -> (any OriginConnection)? {
        let connection = kept.withLock { kept -> (any OriginConnection)? in
            guard let found = kept, !found.connection.isOver, found.caFile == request.caFile,
                found.proxies == request.proxies
            else { return nil }
            kept = nil
            return found.connection
        }
        if connection == nil { rest() }
        return connection
    }

    private func close(_ connection: any OriginConnection) {
        connection.close { [self] in
            Memory.giveBack()
            queue.ended(of: ObjectIdentifier(self))
        }
    }
}
