/// The catalog that is served now, and what somebody may still see of the one before.
package struct Generations: Sendable {
    /// What is served; nil while there is nothing.
    package private(set) var current: HeldCatalog?
    /// The store numbers of the apps that the generation before had and this one has not, by id.
    package private(set) var departed: [String: String] = [:]

    /// A daemon that has served nothing yet.
    package init() {}

    /// Serves another catalog, or none.
    package mutating func serve(_ next: HeldCatalog?) {
        if let current, current.generation != next?.generation {
            departed = current.catalog.appStoreIDs(missingIn: next?.catalog)
        }
        if let next { departed = departed.filter { next.catalog.appStoreID(of: $0.key) == nil } }
        current = next
    }
}
