package import PromoWire

/// Everything that an answer is made from, published by the keeper as one immutable value.
package struct Snapshot: Sendable {
    /// Counts publications, so that readers can tell them apart.
    package var serial = 0
    /// All catalogs, in the order in which they count.
    package var catalogs: [CatalogSnapshot] = []
    /// The catalog that `promoctl setup` tries; nil if it tries none.
    package var trial: CatalogSnapshot?
    /// What stands for a catalog while there is none.
    package var none: CatalogSnapshot
    package var configuration = ConfigurationStatus()
    /// The ids of the apps whose first launch is recorded.
    package var launched: Set<String> = []
    /// Why the review history cannot be read or written, or why it was set aside; nil if all is well.
    package var reviewsError: String?

    /// Creates the snapshot of a daemon that has read nothing yet.
    /// - Parameter cachePath: the directory of the caches.
    package init(cachePath: String) {
        none = CatalogSnapshot(cachePath: cachePath)
        none.isUnconfigured = true
    }
}

extension Snapshot {
    /// The catalog of requests that say nothing about it: the first one.
    package var catalog: CatalogSnapshot { catalogs.first ?? none }

    /// The name of the first catalog that has an app.
    func catalog(having id: String) -> String? {
        catalogs.first { $0.served?.catalog.storePage(of: id) != nil }?.name
    }
}
