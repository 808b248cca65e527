/// The kinds of events that a client can subscribe to, in the order in which they are listed.
package enum EventKind: String, CaseIterable, Sendable {
    case impression, tap, catalog
}
