package import PromoWire

/// How a fetch ended, for the refresh machine.
package enum FetchEnd: Sendable {
    case updated
    case unchanged
    /// `isOffline`: the name or the host could not be reached, and there is no route; that is nobody's failure.
    case failed(Failure, retryAfter: Duration?, isOffline: Bool)
}
