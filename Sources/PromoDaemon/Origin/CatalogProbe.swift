import PromoCore
package import PromoFetch
package import PromoWire

/// Fetches a catalog once, as the daemon does, for a command that waits.
package struct CatalogProbe: Sendable {
    /// A failed fetch.
    package struct Refusal: Error, Sendable {
        package let failure: Failure
        /// What came from the origin.
        let reply: OriginReply
        /// The proxy that was used; nil if there was none.
        package let proxy: UsedProxy?

        /// Whether trying again later is useless.
        package var isLasting: Bool { reply.isLasting || proxy?.isLasting(failure) == true }
    }

    /// What a fetch brought.
    package struct Fetched: Sendable {
        package let bytes: [UInt8]
        /// The proxy that was used; nil if there was none.
        package let proxy: UsedProxy?
    }

    private let configuration: Configuration

    /// A probe that fetches as a daemon with this configuration does.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Fetches the bytes at an address, which need not be a catalog; blocks until the fetch has ended.
    package func fetch(_ url: HTTPSURL) throws(Refusal) -> Fetched {
        let request = OriginRequest(
            url: url, validators: Validators(), caFile: configuration.catalog.caFile,
            maximumBytes: configuration.catalog.maximumBytes, timeout: configuration.timeout,
            proxies: configuration.proxies)
        var exchange = Exchange(request)
        let reply: OriginReply
        do throws(Failure) {
            let child = try FetchChild(for: request)
            defer { child.close() }
            reply = exchange.perform(over: child)
        } catch {
            reply = .failed(error, httpStatus: nil, retryAfter: nil)
        }
        switch reply {
        case .body(let bytes, _, _):
            return Fetched(bytes: bytes, proxy: exchange.proxy)
        case .failed(let failure, _, _):
            throw Refusal(failure: failure, reply: reply, proxy: exchange.proxy)
        case .notModified:
            let failure = Failure(.httpStatus, "The origin answers 304 (not modified) to a request without conditions.")
            throw Refusal(failure: failure, reply: reply, proxy: exchange.proxy)
        }
    }
}
