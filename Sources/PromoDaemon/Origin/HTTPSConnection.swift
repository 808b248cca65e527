import AsyncHTTPClient
import Dispatch
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PromoCore
import PromoWire
import Synchronization

/// A connection over HTTPS. There is about one fetch per day, so each has its own HTTP client and event loop, and leaves nothing
/// open.
final class HTTPSConnection: OriginConnection {
    private struct State {
        var task: HTTPClient.Task<ReceivedResponse>?
        var isCancelled = false
        /// What has become of the name lookup of the last request.
        var lookup = EventLoops.Lookup.running
    }

    private let client: HTTPClient
    private let queue: DispatchQueue
    private let loops: EventLoops
    private let loop: EventLoops.Loop
    private let maximumBytes: Int
    private let deadline: NIODeadline
    private let state = Mutex(State())

    /// A connection whose deadline begins to run now.
    /// - Throws: the failure if `catalog.ca-file` cannot be used.
    init(for request: OriginRequest, loops: EventLoops, queue: DispatchQueue) throws(Failure) {
        let configuration = try Self.configuration(for: request)
        self.queue = queue
        self.loops = loops
        maximumBytes = request.maximumBytes
        deadline = .now() + .milliseconds(request.timeout.milliseconds)
        loop = loops.take()
        client = HTTPClient(eventLoopGroupProvider: .shared(loop.group), configuration: configuration)
    }

    func send(
        _ query: Exchange.Query, completion: @escaping @Sendable (Result<ReceivedResponse, Failure>) -> Void
    ) {
        let url = query.url
        do {
            let request = try HTTPClient.Request(url: url.requestText, method: .GET, headers: query.headers)
            let collector = ResponseCollector(maximumBytes: maximumBytes)
            let task = client.execute(request: request, delegate: collector, deadline: deadline)
            let isCancelled = state.withLock { state in
                state.task = task
                return state.isCancelled
            }
            if isCancelled { task.fail(reason: HTTPClientError.cancelled) }
            task.futureResult.whenComplete { result in
                completion(self.received(result, from: url, isConnected: collector.isConnected))
            }
        } catch {
            completion(.failure(FetchFailures.failure(for: error, url: url)))
        }
    }

    private func received(
        _ result: Result<ReceivedResponse, any Error>, from url: HTTPSURL, isConnected: Bool
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
            return .failure(FetchFailures.failure(for: error, url: url, isConnected: isConnected))
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
        client.shutdown(queue: queue) { [self] _ in
            loops.giveBack(loop, after: state.withLock { $0.lookup }, completion: completion)
        }
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
