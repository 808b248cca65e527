package import PromoWire

/// The events that a subscriber selects.
package struct EventFilter: Equatable, Sendable {
    /// The kinds of events, in the order of `EventKind`.
    package let kinds: [EventKind]
    /// The id of the only host whose impressions and taps are selected; nil for all hosts.
    package let host: String?

    /// Creates a filter; nil selects all kinds, or all hosts.
    package init(kinds: [EventKind]? = nil, host: String? = nil) {
        self.kinds = EventKind.allCases.filter { kinds?.contains($0) ?? true }
        self.host = host
    }

    func selects(_ key: EventLog.Key) -> Bool {
        kinds.contains(key.kind) && (host == nil || key.kind == .catalog || key.host == host?.hashValue)
    }
}
