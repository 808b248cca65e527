import Dispatch
package import PromoCore
package import PromoWire
import Synchronization

/// Fetches a catalog once, in the same way as the daemon, for a command that waits.
package struct CatalogProbe: Sendable {
    /// Why the fetch failed.
    package struct Refusal: Error, Sendable {
        package let failure: Failure
        /// Whether trying again later would not help.
        package let isLasting: Bool
    }

    private let configuration: Configuration
    private let now: @Sendable () -> Timestamp

    /// A probe that fetches as a daemon with this configuration does.
    package init(_ configuration: Configuration, now: @escaping @Sendable () -> Timestamp) {
        self.configuration = configuration
        self.now = now
    }

    /// Fetches the bytes at an address, which need not be a catalog, and their validators; blocks until the fetch has ended.
    package func fetch(_ url: HTTPSURL) throws(Refusal) -> (bytes: [UInt8], validators: Validators) {
        try fetch(
            OriginRequest(
                url: url, validators: Validators(), caFile: configuration.catalog.caFile,
                maximumBytes: configuration.catalog.maximumBytes, timeout: configuration.timeout,
                proxies: configuration.proxies))
    }

    /// Fetches the bytes of an icon; blocks until the fetch has ended.
    package func fetchIcon(_ url: HTTPSURL) throws(Refusal) -> [UInt8] {
        let request = OriginRequest(
            url: url, validators: Validators(), caFile: configuration.catalog.caFile,
            maximumBytes: IconBook.maximumSize, timeout: configuration.timeout, proxies: configuration.proxies,
            accept: IconFormat.accepted)
        do {
            return try fetch(request).bytes
        } catch {
            guard error.failure.code == .tooLarge else { throw error }
            throw Refusal(failure: IconBook.tooLarge(url), isLasting: true)
        }
    }

    private func fetch(_ request: OriginRequest) throws(Refusal) -> (bytes: [UInt8], validators: Validators) {
        let url = request.url
        let proxy: Proxies.Used?
        do {
            proxy = try request.proxies.proxy(for: url)
        } catch {
            throw Refusal(failure: error, isLasting: true)
        }
        let reply = Mutex<OriginReply?>(nil)
        let done = DispatchSemaphore(value: 0)
        _ = HTTPSOrigin().fetch(request) { answer in
            reply.withLock { $0 = answer }
            done.signal()
        }
        done.wait()
        switch reply.withLock({ $0 }) {
        case .body(let bytes, let validators):
            return (bytes, validators)
        case .failed(let failure, _, _):
            // The inspection cannot ask through a proxy.
            let isInspected = proxy == nil && failure == FetchFailures.untrusted(url)
            let isUnauthorized = proxy.map { failure == ProxyFailures.unauthorized($0.url) } ?? false
            throw Refusal(
                failure: isInspected ? certificateProblem(url) ?? failure : failure,
                isLasting: isUnauthorized || reply.withLock { $0?.isLasting ?? false })
        case .notModified, nil:
            throw Refusal(
                failure: Failure(.httpStatus, "The origin answers 304 (not modified) to a request without conditions."),
                isLasting: true)
        }
    }

    private func certificateProblem(_ url: HTTPSURL) -> Failure? {
        CertificateInspection().certificate(of: url).map {
            Failure(
                .tls, CertificateProblem(certificate: $0, place: "\(url.host):\(url.port)", now: now()).message)
        }
    }
}
