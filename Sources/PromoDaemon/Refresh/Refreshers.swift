import PromoWire

/// The refreshers of all catalogs, by name.
struct Refreshers {
    private var refreshers: [String: CatalogRefresher] = [:]
    private var count = 0

    subscript(name: String) -> CatalogRefresher? { refreshers[name] }

    /// The refresher of a catalog, unless its number shows that it is a later one of the same name.
    subscript(name: String, number: Int) -> CatalogRefresher? {
        refreshers[name].flatMap { $0.number == number ? $0 : nil }
    }

    /// Starts refreshers for new catalogs, gives the others their assignments, and stops those whose catalog is gone.
    /// - Parameter make: creates a refresher that has not started.
    mutating func assign(
        _ assignments: [String: CatalogRefresher.Assignment],
        make: (_ name: String, _ number: Int, CatalogRefresher.Assignment) -> CatalogRefresher
    ) {
        var gone: [CatalogRefresher] = []
        for (name, refresher) in refreshers
        where assignments[name].map({ !$0.isSameCatalog(as: refresher.assignment) }) ?? true {
            gone.append(refresher)
            refreshers[name] = nil
        }
        for (name, assignment) in Self.inOrder(assignments) {
            if let refresher = refreshers[name] {
                refresher.assign(assignment)
            } else {
                count += 1
                let refresher = make(name, count, assignment)
                refreshers[name] = refresher
                refresher.start()
            }
        }
        // Who waited for one of these asks again, and meets those that came in their places.
        for refresher in gone { refresher.stop() }
    }

    mutating func stopAll() {
        for refresher in refreshers.values { refresher.stop() }
        refreshers = [:]
    }

    /// The default catalog first, so that its fetch waits for no other.
    private static func inOrder<Value>(_ catalogs: [String: Value]) -> [(name: String, value: Value)] {
        func place(_ name: String) -> (Int, String) { (name == CatalogReference.defaultName ? 0 : 1, name) }
        return catalogs.sorted { place($0.key) < place($1.key) }.map { ($0.key, $0.value) }
    }

    /// Calls the body with each refresher.
    func forEach(_ body: (CatalogRefresher) -> Void) {
        for (_, refresher) in Self.inOrder(refreshers) { body(refresher) }
    }
}
