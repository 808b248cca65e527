package import PromoCore
package import PromoWire

/// Fetches a catalog once, as the daemon does, for a command that waits.
package enum CatalogProbe {
    /// Fetches the bytes at an address, which need not be a catalog, with a daemon's settings; blocks until the fetch has ended.
    package static func fetch(
        _ url: HTTPSURL, _ configuration: Configuration, _ settings: CatalogSettings, environment: [String: String]
    ) throws(Failure) -> [UInt8] {
        let request = OriginRequest(
            url: url, validators: Validators(), caFile: settings.caFile ?? configuration.caFile,
            maximumBytes: AppCatalog.maximumBytes, timeout: configuration.timeout,
            proxies: Proxies(settings, configuration, environment: environment))
        var exchange = Exchange(request)
        let child = try FetchChild(for: request)
        defer { child.close() }
        switch exchange.perform(over: child) {
        case .body(let bytes, _, _, _): return bytes
        case .failed(let failure, _, _): throw failure
        // It is no answer to a request without conditions.
        case .notModified: throw Exchange.cancelled
        }
    }
}
