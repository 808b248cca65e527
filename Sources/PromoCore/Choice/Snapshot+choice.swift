package import PromoWire

extension Snapshot {
    /// The catalog that a request is about; nil if there is none, or none has the name or the address that it gives.
    ///
    /// Without either, it is the one whose file lists the app that asks in `hosts`, else the first that has the app or a rule for it, else
    /// the first, which is the default one if there is one.
    /// - Parameter host: the app that asks.
    package func choose(_ reference: CatalogReference?, for host: String?) -> CatalogSnapshot? {
        let any = isForEveryName ? catalogs.first : nil
        switch reference {
        case .name(let name): return catalogs.first { $0.isNamed(name) } ?? any
        case .address(let address):
            // Files that differ in certificates or proxy are different catalogs, of which one may be impossible to fetch.
            let same = catalogs.filter { $0.address == address }
            return same.first { $0.served != nil } ?? same.first ?? any
        case nil:
            let own = host.flatMap { host in
                catalogs.first { $0.hosts.contains(host) } ?? catalogs.first { $0.served?.catalog.names(host) == true }
            }
            return own ?? catalogs.first
        }
    }

    /// The catalog that a request is about.
    /// - Throws: `unknown-catalog`, with the names of those that are configured.
    package func find(_ reference: CatalogReference?, for host: String?) throws(RequestError) -> CatalogSnapshot {
        if let found = choose(reference, for: host) { return found }
        let (words, name): (String, String)
        switch reference {
        case nil: return none
        case .name(let text):
            if let file = ignored.first(where: { $0.catalog == text }) {
                throw RequestError(
                    .unknownCatalog, "promod does not keep the catalog \"\(text)\" of \(file.file): \(file.error)")
            }
            (words, name) = ("the name \"\(text)\"", text)
        case .address(let address): (words, name) = ("the address \(HTTPSURL(address)?.brief ?? "")", "NAME")
        }
        let names = catalogs.isEmpty ? "none" : catalogs.map(\.name).joined(separator: ", ").elided(to: 200)
        throw RequestError(
            .unknownCatalog,
            "No catalog with \(words) is configured; these are: \(names). An app's package adds one with the file "
                + "/usr/share/promod/catalogs.d/\(name).toml, a person with: promoctl setup https://… --catalog \(name)"
        )
    }
}
