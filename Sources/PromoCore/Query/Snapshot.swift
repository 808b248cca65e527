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
    package var reviewPolicy: ReviewPolicy
    /// The review history; nil if it cannot be read.
    package var reviews: ReviewHistory?
    /// Why the review history cannot be read or written; nil if it can.
    package var reviewsError: String?
    /// When the file of the review history was last looked at; nil if nobody looks.
    package var reviewsCheckedAt: Timestamp?
    /// Another promod that keeps the cache, which this one only reads; nil if this one keeps it.
    package var owner: CacheOwner?

    /// The snapshot of a daemon that has read nothing yet.
    package init(cachePath: String) {
        self.init(catalog: CatalogSnapshot(cachePath: cachePath))
    }

    /// The snapshot of a daemon that has not read its configuration and its review history yet.
    package init(catalog: CatalogSnapshot) {
        serial = 0
        self.catalog = catalog
        reviewPolicy = ReviewPolicy()
        configuration = ConfigurationStatus()
    }
}

extension Snapshot {
    /// Whether a client that asks for the status has the review history looked at again, since somebody may have damaged or mended it.
    func isHistoryCheckDue(now: Timestamp) -> Bool {
        guard let reviewsCheckedAt else { return false }
        return now >= reviewsCheckedAt + .seconds(60) || reviewsCheckedAt > now + .seconds(300)
    }

    /// All catalogs: the default one first, then by name.
    package var catalogs: [CatalogSnapshot] { [catalog] + others }

    /// The catalog that a request names; nil if none of that name or address is configured.
    package func catalog(_ reference: CatalogReference?) -> CatalogSnapshot? {
        guard let reference else { return catalog }
        return reference.first(among: catalogs, name: \.name, address: \.refresh.url)
    }

    /// The catalog that a request names.
    /// - Throws: `unknown-catalog`, with the names of those that are configured.
    package func find(_ reference: CatalogReference?) throws(RequestError) -> CatalogSnapshot {
        if let found = catalog(reference) { return found }
        throw RequestError(.unknownCatalog, unknown(reference?.text ?? "", isAddress: reference?.isAddress == true))
    }

    private func unknown(_ text: String, isAddress: Bool) -> String {
        let known = isAddress ? catalogs.compactMap(\.refresh.url) : catalogs.map(\.name)
        let names = catalogs.map(\.name).joined(separator: ", ")
        let meant = nearestWord(to: text, among: known, within: 3).map { " Did you mean \"\($0)\"?" } ?? ""
        let shown = text.shortened(to: 200)
        let (what, example) =
            isAddress
            ? ("the address \(shown)", "\(shown) --catalog NAME") : ("the name \"\(shown)\"", "URL --catalog \(shown)")
        return
            "No catalog with \(what) is configured; configured are: \(names).\(meant) \"promoctl setup \(example)\" adds one, "
            + "or a package of its publisher does."
    }
}

extension CatalogReference {
    fileprivate var isAddress: Bool {
        if case .address = self { true } else { false }
    }
}
