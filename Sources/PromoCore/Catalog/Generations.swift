/// The catalog that is served, and what clients may still show of the previous one.
package struct Generations: Sendable {
    /// nil if there is nothing to serve.
    package private(set) var current: HeldCatalog?
    /// The pages in the store, by id, of the apps that only the previous generation had.
    package private(set) var departed: [String: StorePage] = [:]

    /// Nothing is served yet.
    package init() {}

    /// Serves another catalog, or none.
    package mutating func serve(_ next: HeldCatalog?) {
        if let current, current.generation != next?.generation {
            // The sample's apps are nobody's.
            departed = current.contents == nil ? [:] : current.catalog.storePages(missingIn: next?.catalog)
        } else if let next {
            // After a restart they come with the catalog.
            let stored = current == nil ? next.contents?.header.departed ?? [:] : [:]
            departed = departed.merging(stored) { $1 }.filter { next.catalog.storePage(of: $0.key) == nil }
        }
        current = next
        current?.contents?.header.departed = departed
    }
}
