package import PromoWire

/// A request that the control plane carries out. It may wait for the disk or for a fetch, so its reply comes later.
package enum Command: Equatable, Sendable {
    case refresh(RefreshParameters)
    case clear(ClearParameters)
    case reload
    /// It looks at files.
    case diagnose(DiagnoseParameters)
    /// The picture has to be read from the disk.
    case icon(AppParameters)
    case launch(AppParameters)
    /// A command only if the review history could not be read; the control plane reads it again before it answers.
    case reviewEligible(ReviewParameters)
    case reviewRequest(ReviewParameters)
    case reviewReturn(ReturnParameters)
    case reviewReset(AppParameters)
    case hide(AppParameters)
    case show(AppParameters)

    /// The control plane's reply to a command.
    package enum Reply: Sendable {
        case result(any MethodResult)
        case icon(IconReply)
        case refused(RequestError)
    }

    /// Takes the reply to a command, once.
    package typealias Completion = @Sendable (Reply) -> Void
}
