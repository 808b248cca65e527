package import PromoWire

extension StatusResult {
    /// The state of a catalog; nil if there is no such catalog, or if several addresses differ only in the query, which is not reported.
    func catalog(_ reference: CatalogReference) -> CatalogStatus? {
        switch reference {
        case .name(let name):
            return catalogs.first { $0.name == name || $0.aliases.contains { $0.name == name } }
        case .address(let address):
            let url = HTTPSURL(address)?.description
            let found = catalogs.filter { $0.refresh.url == url }
            return found.count == 1 ? found[0] : nil
        }
    }

    /// The status with another catalog in place of the first one, or with its file in place of a valid configuration if that is broken; nil if
    /// there is no such catalog.
    package func about(_ reference: CatalogReference?) -> StatusResult? {
        var status = self
        guard let reference else {
            if let first = catalogs.first, let error = first.error, configuration.error == nil {
                (status.configuration.file, status.configuration.error) = (first.file, error)
            }
            return status
        }
        guard let found = catalog(reference) else { return nil }
        status.freshness = found.freshness
        status.apps = found.apps
        status.refresh = found.refresh
        status.cache = found.cache
        (status.configuration.file, status.configuration.error) = (found.file, found.error)
        // Another name has a file of its own, which counts unless the catalog's file is broken.
        if found.error == nil, let alias = found.aliases.first(where: { reference == .name($0.name) }) {
            (status.configuration.file, status.configuration.error) = (alias.file, alias.error)
        }
        return status
    }
}
