/// The kinds of events that a client can subscribe to, in the order in which they are listed.
package enum EventKind: String, Word {
    case impression, tap, catalog, icons

    /// Whether such an event is about one host; the others are about a whole catalog.
    package var hasHost: Bool {
        switch self {
        case .impression, .tap: true
        case .catalog, .icons: false
        }
    }
}
