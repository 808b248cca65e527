package import PromoWire

extension Command {
    /// The keeper's reply to a command.
    package enum Reply: Sendable {
        case result(any MethodResult)
        case icon(IconReply)
        case refused(RequestError)
    }

    /// Takes the reply to a command, once.
    package typealias Completion = @Sendable (Reply) -> Void
}
