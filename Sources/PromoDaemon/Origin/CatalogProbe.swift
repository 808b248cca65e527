package import PromoCore
package import PromoFetch
package import PromoWire

/// Fetches a catalog once, as the daemon does, for a command that waits.
package struct CatalogProbe: Sendable {
    /// A failed fetch.
    package struct Refusal: Error, Sendable {
        package let failure: Failure
        /// What came from the origin.
        package let reply: OriginReply
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
        try fetch(request(url))
    }

    /// Fetches the bytes of an icon; blocks until the fetch has ended.
    package func fetchIcon(_ url: HTTPSURL) throws(Refusal) -> [UInt8] {
        var request = request(url)
        (request.maximumBytes, request.accept) = (IconBook.maximumSize, IconFormat.accepted)
        do {
            return try fetch(request).bytes
        } catch {
            guard error.failure.code == .tooLarge else { throw error }
            throw Refusal(failure: IconBook.tooLarge(url), reply: error.reply, proxy: error.proxy)
        }
    }

    private func request(_ url: HTTPSURL) -> OriginRequest {
        OriginRequest(
            url: url, validators: Validators(), caFile: configuration.catalog.caFile,
            maximumBytes: configuration.catalog.maximumBytes, timeout: configuration.timeout,
            proxies: configuration.proxies)
    }

    private func perform(_ request: OriginRequest) -> (reply: OriginReply, exchange: Exchange) {
        var exchange = Exchange(request)
        do throws(Failure) {
            let child = try FetchChild(for: request)
            defer { child.close() }
            return (exchange.perform(over: child), exchange)
        } catch {
            return (.failed(error, httpStatus: nil, retryAfter: nil), exchange)
        }
    }

    private func fetch(_ request: OriginRequest) throws(Refusal) -> Fetched {
        let (reply, exchange) = perform(request)
        switch reply {
        case .body(let bytes, _, _): return Fetched(bytes: bytes, proxy: exchange.proxy)
        case .failed(let failure, _, _):
            throw Refusal(failure: failure, reply: reply, proxy: exchange.proxy)
        case .notModified:
            let failure = Failure(.httpStatus, "The origin answers 304 (not modified) to a request without conditions.")
            throw Refusal(failure: failure, reply: reply, proxy: exchange.proxy)
        }
    }
}
