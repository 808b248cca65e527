package import PromoWire

/// What an origin answered.
package enum OriginReply: Equatable, Sendable {
    case body([UInt8], Validators)
    /// The bytes at hand are still right; newer validators if the answer has some.
    case notModified(Validators)
    case failed(Failure, httpStatus: Int?, retryAfter: String?)

    /// The status of the answer; nil if there was none.
    package var httpStatus: Int? {
        switch self {
        case .body: 200
        case .notModified: 304
        case .failed(_, let status, _): status
        }
    }

    /// Whether asking again later is of no use: the address, the certificate or what lies there has to change first.
    package var isLasting: Bool {
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
