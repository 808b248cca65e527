import PromoWire

extension StatusResult {
    /// The catalog of a name or address, or the first one; nil if there is none, or if several addresses differ only in the query, which is
    /// not reported.
    func catalog(_ reference: CatalogReference?) -> CatalogStatus? {
        switch reference {
        case nil: return catalogs.first
        case .name(let name): return catalogs.first { $0.name == name }
        case .address(let address):
            let url = HTTPSURL(address)?.description
            let found = catalogs.filter { $0.url == url }
            return found.count == 1 ? found[0] : nil
        }
    }

    /// The problems of a catalog.
    func problems(of catalog: CatalogStatus) -> [Problem] { problems.filter { $0.catalog == catalog.name } }

    /// The status with that catalog alone, and the problems that are not those of others.
    func about(_ catalog: CatalogStatus) -> StatusResult {
        var status = self
        (status.catalogs, status.problems) = ([catalog], problems.filter { $0.catalog ?? catalog.name == catalog.name })
        return status
    }
}

/// The state of a catalog, in a word.
enum CatalogState: String {
    case fresh, expired, sample, bundled, fetching, empty

    init(_ catalog: CatalogStatus) {
        switch (catalog.freshness.source, catalog.freshness.state) {
        case (.sample, _): self = .sample
        case (.bundled, _): self = .bundled
        case (.origin, .loaded): self = .fresh
        case (.origin, _): self = .expired
        case (.none, _): self = catalog.isRefreshing ? .fetching : .empty
        }
    }
}
