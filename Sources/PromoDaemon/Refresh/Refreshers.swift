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
    /// - Parameter make: creates a refresher that has not started.
    mutating func assign(
        _ assignments: [CatalogRefresher.Assignment],
        make: (_ number: Int, CatalogRefresher.Assignment) -> CatalogRefresher
    ) {
        order = assignments.map(\.digest)
        let next = Dictionary(uniqueKeysWithValues: assignments.map { ($0.digest, $0) })
        var gone: [CatalogRefresher] = []
        for (digest, refresher) in refreshers
        where next[digest].map({ !$0.isSameCatalog(as: refresher.assignment) }) ?? true {
            gone.append(refresher)
            refreshers[digest] = nil
        }
        for assignment in assignments {
            if let refresher = refreshers[assignment.digest] {
                refresher.assign(assignment)
            } else {
                count += 1
                let refresher = make(count, assignment)
                refreshers[assignment.digest] = refresher
                refresher.start()
            }
        }
        // Clients that waited for one of these ask again, and find those that came in their place.
        for refresher in gone { refresher.stop() }
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
