package import PromoWire

/// How a fetch ended, for the refresh machine.
package enum FetchEnd: Sendable {
    case updated
    case unchanged
    case heldBack(HeldBack, Failure)
    /// `isOffline`: name resolution or the connection failed while there was no route, so the failure does not count.
    /// `isGone`: the origin says that there is nothing at the address.
    case failed(Failure, retryAfter: Duration?, isOffline: Bool, isGone: Bool = false)
}
