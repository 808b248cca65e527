package import PromoCore
package import PromoWire

/// What is asked of an origin.
package struct OriginRequest: Sendable {
    package var url: HTTPSURL
    /// What the bytes at hand came with; empty where there are none.
    package var validators: Validators
    package var caFile: String?
    /// The largest body after decompression, in bytes.
    package var maximumBytes: Int
    /// The longest whole exchange, redirects included.
    package var timeout: Duration

    /// A request with its limits.
    package init(url: HTTPSURL, validators: Validators, caFile: String?, maximumBytes: Int, timeout: Duration) {
        self.url = url
        self.validators = validators
        self.caFile = caFile
        self.maximumBytes = maximumBytes
        self.timeout = timeout
    }
}

/// Somewhere to fetch a catalog from.
package protocol Origin: Sendable {
    /// Fetches; the completion is called once, on any thread, soon after a cancellation too.
    /// - Returns: what gives the fetch up.
    func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply) -> Void
    ) -> @Sendable () -> Void
}
