import Dispatch
import PromoCore
package import PromoWire
import Synchronization

/// Fetches a catalog once, in the same way as the daemon, for a command that waits.
package struct CatalogProbe: Sendable {
    /// Why the fetch failed.
    package struct Refusal: Error, Sendable {
        package let failure: Failure
        /// Whether trying again later would not help.
        package let isLasting: Bool
        /// The proxy that was used; nil if there was none.
        package let proxy: Proxies.Used?
    }

    /// What came.
    package struct Fetched: Sendable {
        package let bytes: [UInt8]
        /// The proxy that was used; nil if there was none.
        package let proxy: Proxies.Used?
    }

    private let configuration: Configuration

    /// A probe that fetches as a daemon with this configuration does.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Fetches the bytes at an address, which need not be a catalog; blocks until the fetch has ended.
    package func fetch(_ url: HTTPSURL) throws(Refusal) -> Fetched {
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
            throw Refusal(failure: IconBook.tooLarge(url), isLasting: true, proxy: error.proxy)
        }
    }

    private func fetch(_ request: OriginRequest) throws(Refusal) -> Fetched {
        let answer = Mutex<(reply: OriginReply, proxy: Proxies.Used?)?>(nil)
        let done = DispatchSemaphore(value: 0)
        _ = HTTPSOrigin().fetch(request) { reply, proxy in
            answer.withLock { $0 = (reply, proxy) }
            done.signal()
        }
        done.wait()
        FetchChild.killAll()
        let (reply, proxy) = answer.withLock { $0 } ?? (.notModified(Validators()), nil)
        switch reply {
        case .body(let bytes, _, _): return Fetched(bytes: bytes, proxy: proxy)
        case .failed(let failure, _, _):
            throw Refusal(
                failure: failure, isLasting: reply.isLasting || ProxyFailures.isLasting(failure, proxy),
                proxy: proxy)
        case .notModified:
            throw Refusal(
                failure: Failure(.httpStatus, "The origin answers 304 (not modified) to a request without conditions."),
                isLasting: true, proxy: proxy)
        }
    }
}
