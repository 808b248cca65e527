package import PromoCore
package import PromoFetch
package import PromoWire

/// A request to an origin.
package struct OriginRequest: Sendable {
    package var url: HTTPSURL
    /// The validators of what is held; empty if there is nothing.
    package var validators: Validators
    package var caFile: String?
    /// The largest body after decompression, in bytes.
    package var maximumBytes: Int
    /// The time limit for the whole exchange, including redirects.
    package var timeout: Duration
    /// What decides which proxy each request goes through.
    package var proxies: Proxies
    /// The media types that are asked for, as the value of an `Accept` header.
    package var accept: String
    /// Whether caches are to ask the origin, because what it sent before is in doubt.
    package var isSecondLook: Bool

    /// A request with its limits.
    package init(
        url: HTTPSURL, validators: Validators, caFile: String?, maximumBytes: Int, timeout: Duration,
        proxies: Proxies = .none, accept: String = "application/json", isSecondLook: Bool = false
    ) {
        self.url = url
        self.validators = validators
        self.caFile = caFile
        self.maximumBytes = maximumBytes
        self.timeout = timeout
        self.proxies = proxies
        self.accept = accept
        self.isSecondLook = isSecondLook
    }
}

/// A source of catalogs and of their icons.
package protocol Origin: Sendable {
    /// Fetches. The completion is called once, on any thread, and soon if the fetch is cancelled; it also gets the proxy that the
    /// first request went through.
    /// - Returns: a closure that cancels the fetch.
    func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply, UsedProxy?) -> Void
    ) -> @Sendable () -> Void

    /// The same for another catalog.
    func forAnotherCatalog() -> any Origin

    /// The same for icons, which keeps what one fetch has opened for the next, until ``rest()``.
    func forIcons() -> any Origin

    /// Closes what was kept.
    func rest()
}
