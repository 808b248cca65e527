package import PromoCore
package import PromoFetch
package import PromoWire

/// A request to an origin.
package struct OriginRequest: Sendable {
    package var url: HTTPSURL
    /// The validators of the catalog or icon that is held; empty if there is none.
    package var validators: Validators
    package var caFile: String?
    /// The largest body after decompression, in bytes.
    package var maximumBytes: Int
    /// The time limit for the whole exchange, including redirects.
    package var timeout: Duration
    /// Decides which proxy each request goes through.
    package var proxies: Proxies
    /// The media types that are asked for, as the value of an `Accept` header.
    package var accept: String
    /// Whether caches on the way must ask the origin, because its last reply is in doubt.
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
    /// Begins a fetch. The completion is called once, on any thread, and at once if the fetch is cancelled; it also gets the proxy of
    /// the first request.
    /// - Returns: cancels the fetch.
    func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply, UsedProxy?) -> Void
    ) -> @Sendable () -> Void

    /// An origin of another catalog.
    func forAnotherCatalog() -> any Origin

    /// An origin of icons, which keeps what a fetch has opened for the next one until ``rest()``.
    func forIcons() -> any Origin

    /// Closes what it has kept.
    func rest()
}
