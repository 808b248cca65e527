package import PromoWire

/// The events that a subscriber selects.
package struct EventFilter: Sendable {
    /// The kinds of events, in the order of `EventKind`.
    package let kinds: [EventKind]
    /// The id of the only host whose impressions and taps are selected; nil for all hosts.
    package let host: String?
    /// The name of the only catalog whose events are selected; nil for all catalogs.
    package var catalog: String?

    /// Creates a filter; nil selects all kinds, all hosts, or all catalogs.
    package init(kinds: [EventKind]? = nil, host: String? = nil, catalog: String? = nil) {
        self.kinds = EventKind.allCases.filter { kinds?.contains($0) ?? true }
        self.host = host
        self.catalog = catalog
    }

    func selects(_ event: EventLog.Entry) -> Bool {
        kinds.contains(event.kind) && (host == nil || !event.kind.hasHost || event.host == host)
            && (catalog == nil || event.catalog == catalog)
    }
}
