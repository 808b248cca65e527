import AsyncHTTPClient
import Dispatch
package import NIOCore
import NIOHTTPCompression
import NIOSSL
import PromoCore
import PromoWire
import Synchronization

/// Fetches over HTTPS. There is one fetch a day, so each has a client of its own and leaves nothing open.
package final class HTTPSOrigin: Origin {
    private let group: any EventLoopGroup
    // The client's default is a global queue, the first job on which starts a wake-up a second for the life of the process.
    private let queue = DispatchQueue(label: "promod.origin")

    /// An origin whose connections run on that group's loops.
    package init(group: any EventLoopGroup) {
        self.group = group
    }

    package func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply) -> Void
    ) -> @Sendable () -> Void {
        let client: HTTPClient
        do {
            client = HTTPClient(
                eventLoopGroupProvider: .shared(group), configuration: try Self.configuration(for: request))
        } catch {
            completion(.failed(error, httpStatus: nil, retryAfter: nil))
            return {}
        }
        let queue = queue
        let exchange = Exchange(client: client, request: request) { reply in
            client.shutdown(queue: queue) { _ in }
            completion(reply)
        }
        exchange.begin()
        return { exchange.cancel() }
    }

    private static func configuration(for request: OriginRequest) throws(Failure) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let file = request.caFile {
            do {
                tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(file))]
            } catch {
                throw Failure(.tls, "Cannot read certificates in PEM from catalog.ca-file, \(file).")
            }
        }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: nil),
            decompression: .enabled(limit: .size(request.maximumBytes)))
        configuration.httpVersion = .http1Only
        // The event loop keeps its timer armed for a time-out that was cancelled, and wakes once for nothing when it comes;
        // the pool's, by default 60 s, is the last one of a fetch.
        configuration.connectionPool.idleTimeout = .milliseconds(100)
        // The refresh machine retries, and it does so with the origin in mind.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
