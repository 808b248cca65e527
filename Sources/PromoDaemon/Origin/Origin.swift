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

/// What an origin answered.
package enum OriginReply: Equatable, Sendable {
    case body([UInt8], Validators)
    /// The bytes at hand are still right; newer validators, where the answer has some.
    case notModified(Validators)
    case failed(Failure, httpStatus: Int?, retryAfter: String?)

    /// The status of the answer; nil where there was none.
    var httpStatus: Int? {
        switch self {
        case .body: 200
        case .notModified: 304
        case .failed(_, let status, _): status
        }
    }

    /// Whether asking again later is of no use: the address, the certificate or what lies there has to change first.
    var isLasting: Bool {
        guard case .failed(let failure, let status, _) = self else { return false }
        return switch failure.code {
        case .dns, .connect, .timeout, .storage: false
        case .httpStatus: status.map { (400..<500).contains($0) && ![408, 425, 429].contains($0) } ?? true
        case .tls, .redirect, .tooLarge, .encoding, .json, .schema: true
        }
    }

    /// The answer's `Retry-After` as it came.
    var retryAfter: String? {
        if case .failed(_, _, let value) = self { value } else { nil }
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
