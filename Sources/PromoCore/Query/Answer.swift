package import PromoWire

/// How a request is answered. It travels from the responder to the connection.
package enum Answer: Equatable, Sendable {
    /// The reply is written, and these events happened.
    case written([Event] = [])
    /// The client subscribes to events of a catalog, or of all; the reply comes from the part that delivers them.
    case subscription(SubscribeParameters)
    /// Nothing is written yet.
    case later(Later)

    /// Whether nothing is written yet.
    var isLater: Bool { if case .later = self { true } else { false } }

    /// What the reply waits for.
    package enum Later: Equatable, Sendable {
        /// The keeper's reply.
        case command(Command)
        /// A look at the disk.
        case look
        /// The end of the catalog's fetch.
        case fetch
    }
}

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
