package import PromoCore
package import PromoWire

/// Fetches a catalog and its icons once, as the daemon does, for a command that waits.
package struct CatalogProbe {
    private let request: OriginRequest
    /// When to stop fetching icons.
    private let end = PollLoop.clock() + 120_000

    /// Prepares to fetch the bytes at an address, which need not be a catalog, with a daemon's settings.
    package init(
        _ url: HTTPSURL, _ configuration: Configuration, _ settings: CatalogSettings, environment: [String: String]
    ) {
        request = OriginRequest(
            url: url, validators: Validators(), caFile: settings.caFile ?? configuration.caFile,
            maximumBytes: AppCatalog.maximumBytes, timeout: configuration.timeout,
            proxies: Proxies(settings, configuration, environment: environment))
    }

    /// Fetches the catalog's bytes.
    package func catalog() throws(Failure) -> [UInt8] { try fetch(request) }

    /// Fetches an icon, and says why promod would not keep it; nil if it would.
    package func problem(ofIcon url: HTTPSURL) -> String? {
        guard PollLoop.clock() < end else { return "The icon was not fetched, because the two minutes were up." }
        var request = request
        (request.url, request.maximumBytes, request.accept) = (url, IconBook.maximumSize, IconFormat.accepted)
        do throws(Failure) { _ = try IconFormat(of: try fetch(request), at: url) } catch {
            return (error.code == .tooLarge ? IconBook.tooLarge(url) : error).message
        }
        return nil
    }

    private func fetch(_ request: OriginRequest) throws(Failure) -> [UInt8] {
        let child = try FetchChild(for: request)
        defer { child.close() }
        switch Exchange(request).perform(over: child) {
        case .body(let bytes, _, _, _): return bytes
        case .failed(let failure, _, _): throw failure
        // It is no answer to a request without conditions.
        case .notModified: throw Exchange.cancelled
        }
    }
}
