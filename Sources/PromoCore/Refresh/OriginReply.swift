package import PromoWire

/// The outcome of a request to an origin.
package enum OriginReply: Equatable, Sendable {
    /// A whole catalog, with its validators, its age in HTTP caches, and the encodings that it claims beside gzip.
    case body([UInt8], Validators, age: Duration = .zero, encoding: OutsideText? = nil)
    /// A 304, with the validators in it, and its age in HTTP caches.
    case notModified(Validators, age: Duration = .zero)
    /// With the delay for which the origin asks.
    case failed(Failure, httpStatus: Int?, retryAfter: Duration?)

    private var validators: Validators? {
        switch self {
        case .body(_, let validators, _, _), .notModified(let validators, _): validators
        case .failed: nil
        }
    }

    /// The address that answered after a redirect, without its query; nil if there was no redirect, and for a failure.
    package var address: String? { validators?.address }

    /// Where the address of the request has moved for good; nil if it has not.
    package var movedTo: String? { validators?.movedTo }

    /// The HTTP status; nil if there was no response.
    package var httpStatus: Int? {
        switch self {
        case .body: 200
        case .notModified: 304
        case .failed(_, let status, _): status
        }
    }

    /// The delay for which the origin asks; nil if it asks for none.
    package var retryAfter: Duration? { if case .failed(_, _, let delay) = self { delay } else { nil } }
}
