package import PromoWire

/// Everything that an answer is made from, published by the control plane as one immutable value.
package struct Snapshot: Sendable {
    /// Counts publications, so that readers can tell them apart.
    package var serial: Int
    /// The default catalog.
    package var catalog: CatalogSnapshot
    /// The other catalogs, by name.
    package var others: [CatalogSnapshot] = []
    package var configuration: ConfigurationStatus
    /// The ids of the apps whose first launch is recorded.
    package var launched: Set<String> = []
    /// Why the review history cannot be read or written, or why it was set aside; nil if all is well.
    package var reviewsError: String?

    /// Creates the snapshot of a daemon that has read nothing yet.
    package init(cachePath: String) {
        self.init(catalog: CatalogSnapshot(cachePath: cachePath))
    }

    /// Creates the snapshot of a daemon that has not read its configuration and its review history yet.
    package init(catalog: CatalogSnapshot) {
        serial = 0
        self.catalog = catalog
        configuration = ConfigurationStatus()
    }
}

extension Snapshot {
    /// All catalogs: the default one first, then by name.
    package var catalogs: [CatalogSnapshot] { [catalog] + others }

    /// The catalog that a request names; nil if none of that name or address is configured.
    package func catalog(_ reference: CatalogReference?) -> CatalogSnapshot? {
        switch reference {
        case nil: catalog
        case .name(let name): catalogs.first { $0.isNamed(name) }
        case .address(let address): catalogs.first { $0.identity == address }
        }
    }

    /// The name of the first catalog that has an app.
    func catalog(having id: String) -> String? {
        catalogs.first { $0.served?.catalog.storePage(of: id) != nil }?.name
    }

    /// The catalog that a request names.
    /// - Throws: `unknown-catalog`, with the names of those that are configured.
    package func find(_ reference: CatalogReference?) throws(RequestError) -> CatalogSnapshot {
        guard let reference else { return catalog }
        if let found = catalog(reference) { return found }
        throw RequestError(.unknownCatalog, unknown(reference))
    }

    private func unknown(_ reference: CatalogReference) -> String {
        let names = catalogs.map(\.name).joined(separator: ", ")
        switch reference {
        case .name(let name):
            if let file = configuration.ignored.first(where: { $0.catalog == name }) { return unused(file, name) }
            return unknown(
                "the name \"\(name)\"", near: nearestWord(to: name, among: catalogs.map(\.name), within: 3), names,
                file: name, url: nil)
        case .address(let address):
            let shown = HTTPSURL(address)?.brief ?? ""
            if let file = configuration.ignored.first(where: { $0.address == shown }) {
                return unused(file, file.catalog ?? shown)
            }
            return unknown(
                "the address \(shown)",
                near: nearestWord(to: shown, among: catalogs.compactMap(\.address), within: 3),
                names, file: "NAME", url: shown)
        }
    }

    private func unused(_ file: IgnoredFile, _ name: String) -> String {
        let advice =
            switch file.cause {
            case .hidden: " \"promoctl setup --unhide --catalog \(name)\" undoes that, if the file is yours."
            case .limit: " \"promoctl catalogs\" lists those; \"promoctl setup --hide\" makes room."
            case .invalid, .shadowed: ""
            }
        return "promod does not keep the catalog \"\(name)\" of \(file.file): \(file.error)\(advice)"
    }

    private func unknown(_ what: String, near: String?, _ names: String, file: String, url: String?) -> String {
        let meant = near.map { " Did you mean \"\($0)\"?" } ?? ""
        return
            "No catalog with \(what) is configured; these are: \(names).\(meant) The package of an app adds one by a file "
            + "/usr/share/promod/catalogs.d/\(file).toml with the line url = \"\(url ?? "https://…")\", and a person by: promoctl setup \(url ?? "https://…") --catalog \(file)"
    }
}
