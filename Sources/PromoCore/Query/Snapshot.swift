package import PromoWire

/// Everything that an answer is made from, published by the refresh plane as one immutable value.
package struct Snapshot: Sendable {
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

    /// Counts publications, so that a reader can tell one from another.
    package var serial: Int
    /// What is served; nil while there is nothing.
    package var served: Served?
    package var policy: RefreshPolicy
    package var refresh: RefreshStatus
    /// Until when the origin asked to be left alone, which may lie in the past; nil if it did not.
    package var retryAfter: Timestamp?
    /// The store numbers of the apps that the generation before had and this one has not, by id: what somebody sees may be that old.
    package var departed: [String: String] = [:]
    package var cache: CacheStatus
    package var configuration: ConfigurationStatus
    package var reviewPolicy: ReviewPolicy
    /// What is remembered of reviews; nil while it cannot be read.
    package var reviews: ReviewHistory?
    /// Why this daemon cannot answer at all: another one holds the cache.
    package var busy: RequestError?

    /// A snapshot of a daemon that has nothing yet.
    package init(cachePath: String) {
        serial = 0
        policy = RefreshPolicy()
        reviewPolicy = ReviewPolicy()
        refresh = RefreshStatus()
        cache = CacheStatus(path: cachePath, isStored: false)
        configuration = ConfigurationStatus()
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
