package import PromoWire

/// What a request asks of the control plane: it may wait for the disk or for a fetch, so the reply comes later.
package enum Command: Equatable, Sendable {
    case refresh(RefreshParameters)
    case clear
    case reload
    case launch(LaunchParameters)
    /// The review history cannot be used; the answer comes when it was tried again.
    case reviewEligible(ReviewParameters)
    case reviewRequest(ReviewParameters)
    case reviewReset(LaunchParameters)

    /// What the control plane answers.
    package enum Reply: Sendable {
        case result(any MethodResult)
        case refused(RequestError)
    }
}
