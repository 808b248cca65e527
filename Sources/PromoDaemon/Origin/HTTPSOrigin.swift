import CLinux
import Dispatch
package import PromoCore
import PromoWire
import Synchronization

/// Fetches one catalog, or its icons, over HTTPS. Its fetches go through the queue of all origins.
package final class HTTPSOrigin: Origin {
    /// What a fetch has left for the next one, with its place in the queue.
    private struct Kept {
        let connection: any OriginConnection
        let request: OriginRequest
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
    package convenience init(allowed: @escaping @Sendable () -> Int) {
        self.init(
            queue: FetchQueue(allowed: allowed) { (request) throws(Failure) in try FetchChild(for: request) })
    }

    package func forAnotherCatalog() -> any Origin { HTTPSOrigin(queue: queue) }

    package func forIcons() -> any Origin { HTTPSOrigin(queue: queue, keeps: true) }

    package func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply, Proxies.Used?) -> Void
    ) -> @Sendable () -> Void {
        let fetch = Fetch(request, of: self, completion: completion)
        if let connection = takeKept(for: request) { begin(fetch, over: connection) } else { queue.add(fetch) }
        return { [queue] in queue.cancel(fetch) }
    }

    package func rest() {
        let connection = kept.withLock { kept in
            defer { kept = nil }
            return kept?.connection
        }
        if let connection { close(connection) }
    }

    /// Performs a fetch that has a place.
    func begin(_ fetch: Fetch, over connection: any OriginConnection) {
        fetch.connect(connection)
        DispatchQueue(label: "promod.fetch").async { [self] in
            var exchange = Exchange(fetch.request)
            let reply = exchange.perform(over: connection)
            let isKept = keep(connection, fetch.request)
            fetch.completion(reply, exchange.proxy)
            if !isKept { release(connection) }
        }
    }

    /// Leaves a connection to the next fetch, unless it is of no use, or others wait for its place.
    private func keep(_ connection: any OriginConnection, _ request: OriginRequest) -> Bool {
        guard keeps, !connection.isOver, !queue.isCrowded else { return false }
        kept.withLock { $0 = Kept(connection: connection, request: request) }
        // It may have been cancelled, and all of them given back, in between.
        if connection.isOver { rest() }
        return true
    }

    /// The connection that the last fetch has left, if it is of use for this one.
    private func takeKept(for request: OriginRequest) -> (any OriginConnection)? {
        let connection = kept.withLock { kept -> (any OriginConnection)? in
            guard let found = kept, !found.connection.isOver, found.request.caFile == request.caFile,
                found.request.proxies == request.proxies
            else { return nil }
            kept = nil
            return found.connection
        }
        if connection == nil { rest() }
        return connection
    }

    private func close(_ connection: any OriginConnection) {
        DispatchQueue(label: "promod.fetch").async { [self] in release(connection) }
    }

    /// Gives back a connection and its place, which takes as long as its process needs to end.
    private func release(_ connection: any OriginConnection) {
        connection.close()
        promod_give_back_memory()
        queue.release(self)
    }
}
