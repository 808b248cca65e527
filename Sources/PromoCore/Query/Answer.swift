package import PromoWire

/// How a request is answered. It travels from the responder to the connection.
package enum Answer: Equatable, Sendable {
    /// The reply is written, with what follows from it.
    case written(Effects = Effects())
    /// The client subscribes to events of a catalog, or of all; the reply comes from the part that delivers them.
    case subscription(SubscribeParameters, of: CatalogReference?)
    /// Nothing is written yet.
    case later(Later)

    /// Whether nothing is written yet.
    var isLater: Bool { if case .later = self { true } else { false } }

    /// Whether events that the client has caused, or replayed ones, must come after the reply.
    var isFollowedByEvents: Bool {
        switch self {
        case .written(let effects): !effects.events.isEmpty
        case .subscription: true
        case .later: false
        }
    }

    /// The consequences of a written reply.
    package struct Effects: Equatable, Sendable {
        /// The events that happened.
        package var events: [Event]
        /// The work that is due for the catalog.
        package var due: Due

        /// Creates effects, by default none.
        package init(events: [Event] = [], due: Due = Due()) {
            (self.events, self.due) = (events, due)
        }
    }

    /// Work that is due because a client was answered.
    package struct Due: OptionSet, Sendable {
        package let rawValue: Int

        /// Creates a set from its bits.
        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// A fetch of pictures, because the client asked for pictures of which some are or may be missing or old.
        package static let icons = Due(rawValue: 1)
        /// A fetch of the catalog, because the client was answered from an expired one, or without one.
        package static let refresh = Due(rawValue: 2)
    }

    /// The event that the reply waits for.
    package enum Later: Equatable, Sendable {
        /// The keeper's reply.
        case command(Command)
        /// A look at the disk.
        case look
        /// The end of the catalog's fetch.
        case fetch
    }
}
