package import PromoWire

/// The events that a subscriber selects.
package struct EventFilter: Sendable {
    /// The kinds of events, in the order of `EventKind`.
    package let kinds: [EventKind]
    /// The id of the only host whose impressions and taps are selected; nil for all hosts.
    package let host: String?
    /// The name of the only catalog whose events are selected; nil for all catalogs.
    package let catalog: String?
    /// The hashes of host, catalog and address, which are compared with thousands of events.
    private let hashes: (host: Int?, catalog: Int32?, address: Int32?)

    /// Creates a filter; nil selects all kinds, all hosts, or all catalogs.
    /// - Parameter address: the address of the only catalog whose events are selected, whatever its name is.
    package init(
        kinds: [EventKind]? = nil, host: String? = nil, catalog: String? = nil, address: String? = nil
    ) {
        self.kinds = EventKind.allCases.filter { kinds?.contains($0) ?? true }
        self.host = host
        self.catalog = catalog
        hashes = (host?.hashValue, catalog.map(EventLog.Key.hash), address.map(EventLog.Key.hash))
    }

    /// Creates the filter of a subscription, whose catalog is given by its first name or its whole address.
    package init(_ parameters: SubscribeParameters, of catalog: CatalogReference? = nil) {
        let address: String? = if case .address(let address) = catalog { address } else { nil }
        self.init(
            kinds: parameters.events, host: parameters.host, catalog: address == nil ? catalog?.text : nil,
            address: address)
    }

    func selects(_ key: EventLog.Key) -> Bool {
        kinds.contains(key.kind) && (host == nil || !key.kind.hasHost || key.host == hashes.host)
            && (catalog == nil || key.catalog == hashes.catalog)
            && (hashes.address == nil || key.address == hashes.address)
    }
}
