package import PromoWire

/// Everything that an answer is made from, published by the control plane as one immutable value.
package struct Snapshot: Sendable {
    /// Counts publications, so that readers can tell them apart.
    package var serial: Int
    package var catalog: CatalogSnapshot
    package var configuration: ConfigurationStatus
    package var reviewPolicy: ReviewPolicy
    /// The review history; nil if it cannot be read.
    package var reviews: ReviewHistory?
    /// Why this daemon cannot answer at all: another one holds the cache.
    package var busy: RequestError?

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
