import PromoWire

/// The refreshers of all catalogs, by the digests of their addresses.
struct Refreshers {
    private var refreshers: [String: CatalogRefresher] = [:]
    /// The digests, in the order in which the catalogs count.
    private var order: [String] = []
    private var count = 0

    subscript(digest: String) -> CatalogRefresher? { refreshers[digest] }

    /// The refresher of a catalog, unless its number shows that it is a later one of the same catalog.
    subscript(digest: String, number: Int) -> CatalogRefresher? {
        refreshers[digest].flatMap { $0.number == number ? $0 : nil }
    }

    /// Starts refreshers for new catalogs, gives the others their assignments, and stops those whose catalog is gone.
    /// - Parameters:
    ///   - loaded: what is on disk of the new catalogs, by digest.
    ///   - make: creates a refresher that has not started.
    mutating func assign(
        _ assignments: [CatalogRefresher.Assignment], _ loaded: [String: LoadedCatalog],
        make: (_ number: Int, CatalogRefresher.Assignment, LoadedCatalog) -> CatalogRefresher
    ) {
        order = assignments.map(\.digest)
        for (digest, refresher) in refreshers where !order.contains(digest) {
            refreshers[digest] = nil
            refresher.stop()
        }
        for assignment in assignments {
            if let refresher = refreshers[assignment.digest] {
                refresher.assign(assignment)
                continue
            }
            guard let loaded = loaded[assignment.digest] else { continue }
            count += 1
            let refresher = make(count, assignment, loaded)
            refreshers[assignment.digest] = refresher
            refresher.start()
        }
    }

    /// The digests of all catalogs.
    var digests: Set<String> { Set(refreshers.keys) }

    /// The catalogs that packages bring, of those that were never fetched, by digest.
    var bundled: [String: BundledCatalog] {
        refreshers.compactMapValues { $0.isBundledServed ? $0.bundled : nil }
    }

    mutating func stopAll() {
        for refresher in refreshers.values { refresher.stop() }
        refreshers = [:]
    }

    /// Calls the body with each refresher.
    func forEach(_ body: (CatalogRefresher) -> Void) {
        for digest in order { refreshers[digest].map(body) }
    }
}
