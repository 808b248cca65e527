/// The catalog that is served, and the store pages of the previous one that clients may still show.
package struct Generations: Sendable {
    /// The catalog that is served; nil if there is none.
    package private(set) var current: HeldCatalog?
    /// The store pages, by id, of the apps that only the previous generation had.
    package private(set) var departed: [String: StorePage] = [:]

    /// Creates the state before a catalog is served.
    package init() {}

    /// Serves another catalog, or none.
    package mutating func serve(_ next: HeldCatalog?) {
        if let current, current.generation != next?.generation {
            // The sample's apps do not exist.
            departed = current.contents == nil ? [:] : current.catalog.storePages(missingIn: next?.catalog)
        } else if let next {
            // After a restart, they are those in the catalog's header.
            let stored = current == nil ? next.contents?.header.departed ?? [:] : [:]
            departed = departed.merging(stored) { $1 }.filter { next.catalog.storePage(of: $0.key) == nil }
        }
        current = next
        current?.contents?.header.departed = departed
    }
}
