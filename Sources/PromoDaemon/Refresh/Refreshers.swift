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
        make: (_ name: String, _ number: Int) -> CatalogRefresher
    ) {
        stop { assignments[$0] == nil }
        for (name, assignment) in Self.inOrder(assignments) {
            if let refresher = refreshers[name] {
                refresher.assign(assignment)
            } else {
                count += 1
                let refresher = make(name, count)
                refreshers[name] = refresher
                refresher.start(assignment)
            }
        }
        storeCopies()
    }

    /// Stores the copies only after all have been read, because one may replace the file of another.
    private func storeCopies() { forEach { $0.served.storeCopy() } }

    mutating func stopAll() { stop { _ in true } }

    private mutating func stop(where isGone: (_ name: String) -> Bool) {
        for name in refreshers.keys where isGone(name) {
            refreshers.removeValue(forKey: name)?.stop(because: "promod no longer keeps this catalog")
        }
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
