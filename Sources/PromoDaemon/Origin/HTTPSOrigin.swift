import AsyncHTTPClient
import Dispatch
package import NIOCore
import NIOSSL
package import PromoCore
import PromoWire
import Synchronization

/// Fetches over HTTPS. There is one fetch a day, so each has a client of its own and leaves nothing open.
package final class HTTPSOrigin: Origin {
    private struct Clients {
        var count = 0
        var waiting: [Exchange] = []
    }

    /// How many clients there may be at once. A cancelled fetch keeps its client, with a descriptor, until its attempt to connect
    /// ends, and a sequence of reloads would gather hundreds of them.
    private static let maximumClients = 4

    private let group: any EventLoopGroup
    // The client's default is a global queue, the first job on which starts a wake-up a second for the life of the process.
    private let queue = DispatchQueue(label: "promod.origin")
    private let clients = Mutex(Clients())

    /// An origin whose connections run on that group's loops.
    package init(group: any EventLoopGroup) {
        self.group = group
    }

    package func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply) -> Void
    ) -> @Sendable () -> Void {
        let exchange = Exchange(request) { reply, client in
            if let client { self.end(client) }
            completion(reply)
        }
        let begins = clients.withLock { clients in
            guard clients.count < Self.maximumClients else {
                clients.waiting.append(exchange)
                return false
            }
            clients.count += 1
            return true
        }
        if begins { begin(exchange) }
        return { self.cancel(exchange) }
    }

    private func begin(_ exchange: Exchange) {
        do {
            let client = HTTPClient(
                eventLoopGroupProvider: .shared(group), configuration: try Self.configuration(for: exchange.request))
            exchange.begin(with: client)
        } catch {
            exchange.fail(error)
            beginNext()
        }
    }

    private func end(_ client: HTTPClient) {
        client.shutdown(queue: queue) { _ in
            Memory.giveBack()
            self.beginNext()
        }
    }

    /// Another exchange takes the place of one that has ended.
    private func beginNext() {
        let next: Exchange? = clients.withLock { clients in
            guard !clients.waiting.isEmpty else {
                clients.count -= 1
                return nil
            }
            return clients.waiting.removeFirst()
        }
        if let next { begin(next) }
    }

    private func cancel(_ exchange: Exchange) {
        let isWaiting = clients.withLock { clients in
            let count = clients.waiting.count
            clients.waiting.removeAll { $0 === exchange }
            return clients.waiting.count < count
        }
        if isWaiting { exchange.fail(FetchFailures.cancelled) } else { exchange.cancel() }
    }

    private static func configuration(for request: OriginRequest) throws(Failure) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        // A connection keeps its context with all root certificates, about 1 MB, until the peer has said goodbye or this is over.
        tls.shutdownTimeout = .milliseconds(100)
        if let file = request.caFile { tls.additionalTrustRoots = [.certificates(try certificates(in: file))] }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: nil), decompression: .disabled)
        configuration.httpVersion = .http1Only
        // The event loop keeps its timer armed for a time-out that was cancelled, and wakes once for nothing when it comes;
        // the pool's, by default 60 s, is the last one of a fetch.
        configuration.connectionPool.idleTimeout = .milliseconds(100)
        // The refresh machine retries, and it does so with the origin in mind.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    private static func certificates(in file: String) throws(Failure) -> [NIOSSLCertificate] {
        let certificates: [NIOSSLCertificate]?
        do {
            certificates = try TrustedCertificates.read(file) { path, maximumBytes throws(SystemError) in
                try FileReader.read(path, maximumBytes: maximumBytes)
            }
        } catch {
            throw Failure(.tls, "catalog.ca-file: \(error).")
        }
        guard let certificates else {
            throw Failure(.tls, "catalog.ca-file: \(file) holds no certificates in PEM.")
        }
        return certificates
    }
}
