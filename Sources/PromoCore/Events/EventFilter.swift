package import PromoWire

/// Which events a subscriber wants.
package struct EventFilter: Equatable, Sendable {
    /// The kinds, in the order in which they are listed.
    package let kinds: [EventKind]
    /// Only impressions and taps of this host; nil for all.
    package let host: String?

    /// The filter of a subscription; nil asks for all kinds.
    package init(kinds: [EventKind]? = nil, host: String? = nil) {
        self.kinds = EventKind.allCases.filter { kinds?.contains($0) ?? true }
        self.host = host
    }

    func selects(_ key: EventLog.Key) -> Bool {
        kinds.contains(key.kind) && (host == nil || key.kind == .catalog || key.host == host?.hashValue)
    }
}
