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
            departed = departed.filter { next.catalog.storePage(of: $0.key) == nil }
        }
        current = next
    }
}
