package import PromoWire

/// One catalog as it is published: what is served of it, and what its refresher does.
package struct CatalogSnapshot: Sendable {
    /// A catalog and where it came from.
    package struct Served: Sendable {
        package var catalog: PreparedCatalog
        /// When the origin sent or confirmed it; nil for the sample.
        package var fetchedAt: Timestamp?

        /// A catalog with the time of its fetch, or the sample.
        package init(catalog: PreparedCatalog, fetchedAt: Timestamp?) {
            self.catalog = catalog
            self.fetchedAt = fetchedAt
        }
    }

    /// What is served; nil while there is nothing.
    package var served: Served?
    package var policy = RefreshPolicy()
    package var refresh = RefreshStatus()
    /// Until when the origin asked to be left alone, which may lie in the past; nil if it did not.
    package var retryAfter: Timestamp?
    /// The store numbers of the apps that the generation before had and this one has not, by id: what somebody sees may be that old.
    package var departed: [String: String] = [:]
    package var cache: CacheStatus

    /// A catalog of which there is nothing yet.
    package init(cachePath: String) {
        cache = CacheStatus(path: cachePath, isStored: false)
    }

    /// How old what is served is now.
    package func freshness(now: Timestamp) -> Freshness {
        guard let served else {
            return Freshness(state: refresh.activity == .loading ? .loading : .empty, source: .none, generation: nil)
        }
        guard let fetchedAt = served.fetchedAt else {
            return Freshness(state: .loaded, source: .sample, generation: served.catalog.generation)
        }
        guard policy.isBelievable(fetchedAt: fetchedAt, now: now) else {
            // When it was fetched is not known: a clock ran ahead then, or runs behind now.
            return Freshness(state: .cached, source: .origin, generation: served.catalog.generation)
        }
        return Freshness(
            state: policy.isExpired(fetchedAt: fetchedAt, now: now) ? .cached : .loaded, source: .origin,
            generation: served.catalog.generation, fetchedAt: fetchedAt, expiresAt: fetchedAt + policy.interval)
    }

    /// Whether it makes sense that somebody who sees nothing tries again now, and when promod itself does.
    package func retry(now: Timestamp) -> (canRetry: Bool, at: Timestamp?) {
        guard served == nil, refresh.activity == .idle, refresh.url != nil else { return (false, nil) }
        return (now >= retryAfter ?? now, refresh.nextAt)
    }
}
