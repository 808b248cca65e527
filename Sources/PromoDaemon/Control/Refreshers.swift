import PromoWire

/// The refreshers of all catalogs, each of which keeps its own. They run on the control plane's queue, as does everything here.
struct Refreshers {
    /// Makes the refresher of a catalog, which has not started.
    typealias Make = (_ name: String) -> CatalogRefresher

    private let make: Make
    private var refreshers: [String: CatalogRefresher] = [:]

    init(make: @escaping Make) {
        self.make = make
    }

    /// The refresher of a catalog; nil if it is not kept.
    subscript(name: String) -> CatalogRefresher? { refreshers[name] }

    /// Starts refreshers for catalogs that are new, gives the others their assignments, and stops those whose catalog is gone.
    mutating func assign(_ assignments: [String: CatalogRefresher.Assignment], loadsCache: Bool) {
        for name in refreshers.keys where assignments[name] == nil {
            let gone = refreshers.removeValue(forKey: name)
            gone?.assumeIsolated { $0.stop(because: "promod does not keep this catalog any more") }
        }
        for (name, assignment) in Self.inOrder(assignments) {
            if let refresher = refreshers[name] {
                refresher.assumeIsolated { $0.assign(assignment) }
            } else {
                let refresher = make(name)
                refreshers[name] = refresher
                refresher.assumeIsolated { $0.start(assignment, loadsCache: loadsCache) }
            }
        }
    }

    /// The default catalog comes first, so that its fetch waits behind no other.
    private static func inOrder<Value>(_ catalogs: [String: Value]) -> [(name: String, value: Value)] {
        func place(_ name: String) -> (Int, String) { (name == CatalogReference.defaultName ? 0 : 1, name) }
        return catalogs.sorted { place($0.key) < place($1.key) }.map { ($0.key, $0.value) }
    }

    /// Tells each of them something.
    func forEach(_ body: (isolated CatalogRefresher) -> Void) {
        for (_, refresher) in Self.inOrder(refreshers) {
            refresher.assumeIsolated(body)
        }
    }
}
