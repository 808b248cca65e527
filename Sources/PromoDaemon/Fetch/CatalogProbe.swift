package import PromoCore
package import PromoWire

/// Fetches a catalog once, as the daemon does, for a command that waits.
package struct CatalogProbe: Sendable {
    /// A failed fetch.
    package struct Refusal: Error, Sendable {
        package let failure: Failure
        /// The proxy that was used; nil if there was none.
        package let proxy: UsedProxy?
    }

    private let timeout: Duration
    private let caFile: String?
    private let proxies: Proxies

    /// A probe that fetches as a daemon with these settings does.
    package init(_ configuration: Configuration, _ settings: CatalogSettings, environment: [String: String]) {
        timeout = configuration.timeout
        caFile = settings.caFile ?? configuration.caFile
        proxies = Proxies(settings, configuration, environment: environment)
    }

    /// Fetches the bytes at an address, which need not be a catalog; blocks until the fetch has ended.
    package func fetch(_ url: HTTPSURL) throws(Refusal) -> (bytes: [UInt8], proxy: UsedProxy?) {
        let request = OriginRequest(
            url: url, validators: Validators(), caFile: caFile, maximumBytes: AppCatalog.maximumBytes,
            timeout: timeout, proxies: proxies)
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
            return (bytes, exchange.proxy)
        case .failed(let failure, _, _):
            throw Refusal(failure: failure, proxy: exchange.proxy)
        case .notModified:
            let failure = Failure(.httpStatus, "The origin answers 304 (not modified) to a request without conditions.")
            throw Refusal(failure: failure, proxy: exchange.proxy)
        }
    }
}
