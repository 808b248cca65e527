package import PromoWire

/// Everything that an answer is made from, published by the keeper as one immutable value.
package struct Snapshot: Sendable {
    /// All catalogs, in order of precedence.
    package var catalogs: [CatalogSnapshot] = []
    /// Whether the first one is also meant by names and addresses that no catalog has, as in a test of an app that names its own.
    package var isForEveryName = false
    /// What stands for a catalog while there is none.
    package var none = CatalogSnapshot()
    /// The drop-ins that are not used.
    package var ignored: [IgnoredFile] = []
    /// What a person may have to know or fix, the most urgent first.
    package var problems: [Problem] = []
    /// The ids of the apps whose first launch is recorded.
    package var launched: Set<String> = []
    /// How often that set has changed.
    package var launches = 0
    /// Whether the configuration and the caches were read, which a disk may delay.
    package let isRead: Bool

    /// Creates the snapshot of a daemon without catalogs.
    package init(isRead: Bool = true) {
        self.isRead = isRead
        none.isUnconfigured = true
        guard !isRead else { return }
        problems = [Problem(.directory, "disk", "The configuration and the caches are still being read from the disk")]
    }
}

extension Snapshot {
    /// Whether a proxy stands for a route to a global address.
    package var isProxied: Bool { catalogs.contains(where: \.isProxied) }

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
