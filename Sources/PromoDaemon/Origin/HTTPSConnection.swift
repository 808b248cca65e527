import AsyncHTTPClient
import Dispatch
import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PromoCore
import PromoWire
import Synchronization

/// A connection over HTTPS. There is about one fetch per day, so each has its own event loop, an HTTP client for each proxy that its
/// requests go through, and leaves nothing open.
final class HTTPSConnection: OriginConnection {
    private struct State {
        var clients: [(proxy: ProxyURL?, client: HTTPClient)] = []
        var task: HTTPClient.Task<ReceivedResponse>?
        var isCancelled = false
        /// What has become of the name lookup of the last request.
        var lookup = EventLoops.Lookup.over
    }

    private let configuration: HTTPClient.Configuration
    private let proxies: Proxies
    private let queue: DispatchQueue
    private let loops: EventLoops
    private let loop: EventLoops.Loop
    private let maximumBytes: Int
    private let deadline: NIODeadline
    private let state = Mutex(State())

    /// A connection whose deadline begins to run now.
    /// - Throws: the failure if `catalog.ca-file` cannot be used, or if no descriptors or threads are left.
    init(for request: OriginRequest, loops: EventLoops, queue: DispatchQueue) throws(Failure) {
        configuration = try Self.configuration(for: request)
        proxies = request.proxies
        self.queue = queue
        self.loops = loops
        maximumBytes = request.maximumBytes
        deadline = .now() + .milliseconds(request.timeout.milliseconds)
        loop = try loops.take(for: request.url.host)
    }

    func send(
        _ query: Exchange.Query, completion: @escaping @Sendable (Result<ReceivedResponse, Failure>) -> Void
    ) {
        let url = query.url
        let proxy: ProxyURL?
        do throws(Failure) {
            proxy = try proxies.proxy(for: url)?.url
        } catch {
            return completion(.failure(error))
        }
        do {
            let request = try HTTPClient.Request(url: url.requestText, method: .GET, headers: query.headers)
            let collector = ResponseCollector(maximumBytes: maximumBytes)
            state.withLock { $0.lookup = .running }
            let task = client(proxy).execute(request: request, delegate: collector, deadline: deadline)
            let isCancelled = state.withLock { state in
                state.task = task
                return state.isCancelled
            }
            if isCancelled { task.fail(reason: HTTPClientError.cancelled) }
            task.futureResult.whenComplete { result in
                completion(
                    self.received(result, from: FetchFailures.Route(url, proxy, isConnected: collector.isConnected)))
            }
        } catch {
            completion(.failure(FetchFailures.failure(for: error, on: FetchFailures.Route(url, proxy))))
        }
    }

    /// The HTTP client for requests through a proxy, or directly.
    private func client(_ proxy: ProxyURL?) -> HTTPClient {
        state.withLock { state in
            if let known = state.clients.first(where: { $0.proxy == proxy }) { return known.client }
            var configuration = configuration
            configuration.proxy = proxy.map { proxy in
                // A resolver takes an IPv6 address only without its brackets.
                let host = proxy.host.hasPrefix("[") ? String(proxy.host.dropFirst().dropLast()) : proxy.host
                let credentials = proxy.credentials.map { Data($0.utf8).base64EncodedString() }
                return .server(
                    host: host, port: proxy.port,
                    authorization: credentials.map(HTTPClient.Authorization.basic(credentials:)))
            }
            let client = HTTPClient(eventLoopGroupProvider: .shared(loop.group), configuration: configuration)
            state.clients.append((proxy, client))
            return client
        }
    }

    private func received(
        _ result: Result<ReceivedResponse, any Error>, from route: FetchFailures.Route
    ) -> Result<ReceivedResponse, Failure> {
        switch result {
        case .success(let response):
            state.withLock { $0.lookup = .over }
            return .success(response)
        case .failure(let error as HeadIsEnough):
            state.withLock { $0.lookup = .over }
            return .success(ReceivedResponse(head: error.head, body: []))
        case .failure(let error):
            state.withLock { $0.lookup = FetchFailures.mayLeaveLookup(error) ? .running : .ending }
            return .failure(FetchFailures.failure(for: error, on: route))
        }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.fail(reason: HTTPClientError.cancelled)
    }

    func close(_ completion: @escaping @Sendable () -> Void) {
        guard let (_, client) = state.withLock({ $0.clients.popLast() }) else {
            return loops.giveBack(loop, after: state.withLock { $0.lookup }, completion: completion)
        }
        client.shutdown(queue: queue) { [self] _ in close(completion) }
    }

    private static func configuration(for request: OriginRequest) throws(Failure) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        // Until the peer confirms the shutdown, or this timeout passes, a connection keeps about 1 MB of root certificates.
        tls.shutdownTimeout = .milliseconds(100)
        if let file = request.caFile { tls.additionalTrustRoots = [.certificates(try certificates(in: file))] }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: nil), decompression: .disabled)
        configuration.httpVersion = .http1Only
        configuration.http1_1ConnectionDebugInitializer = StatusGuard.add
        configuration.connectionPool.idleTimeout = .milliseconds(100)
        // Retries are up to the refresh machine, which respects the origin's limits.
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
