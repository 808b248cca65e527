package import PromoWire

/// The published state of one catalog: what is served, and what its refresher does.
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

    /// nil if there is nothing to serve.
    package var served: Served?
    package var policy = RefreshPolicy()
    package var refresh = RefreshStatus()
    /// The end of the origin's Retry-After, which may be in the past; nil if the origin sent none.
    package var retryAfter: Timestamp?
    /// The App Store numbers, by id, of the apps that only the previous generation had: a client may still show them.
    package var departed: [String: String] = [:]
    package var cache: CacheStatus

    /// The state before anything was read or fetched.
    package init(cachePath: String) {
        cache = CacheStatus(path: cachePath, isStored: false)
    }

    /// The freshness of what is served.
    package func freshness(now: Timestamp) -> Freshness {
        guard let served else {
            return Freshness(state: refresh.activity == .loading ? .loading : .empty, source: .none, generation: nil)
        }
        guard let fetchedAt = served.fetchedAt else {
            return Freshness(state: .loaded, source: .sample, generation: served.catalog.generation)
        }
        guard policy.isBelievable(fetchedAt: fetchedAt, now: now) else {
            // The time of the fetch is unknown: the clock was ahead then, or is behind now.
            return Freshness(state: .cached, source: .origin, generation: served.catalog.generation)
        }
        return Freshness(
            state: policy.isExpired(fetchedAt: fetchedAt, now: now) ? .cached : .loaded, source: .origin,
            generation: served.catalog.generation, fetchedAt: fetchedAt, expiresAt: fetchedAt + policy.interval)
    }

    /// Whether a retry by hand makes sense now, because nothing is served, and when promod itself retries.
    package func retry(now: Timestamp) -> (canRetry: Bool, at: Timestamp?) {
        guard served == nil, refresh.activity == .idle, refresh.url != nil else { return (false, nil) }
        return (now >= retryAfter ?? now, refresh.nextAt)
    }
}
