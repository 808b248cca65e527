package import PromoWire

/// The last publication, which shows the events that the next one causes.
package struct PublishedCatalogs: Sendable {
    /// An event with the identity of its catalog.
    package typealias Change = (event: Event, identity: String)

    /// What clients see of a catalog, and what decides which requests are about it.
    private struct State: Equatable {
        let event: Event
        let file: String?
        let aliases: [CatalogAlias]
        let hosts: [String]
    }

    /// The last state of each catalog, by its identity; nil before the first publication.
    private var states: [String: State]?
    /// The number of pictures that each catalog had received, by its identity.
    private var arrivals: [String: Int] = [:]

    /// Creates the state before the first publication.
    package init() {}

    /// A snapshot is published.
    /// - Returns: an event for each catalog that has come, changed or gone, and one for new pictures. The first publication causes none.
    package mutating func published(_ snapshot: Snapshot, now: Timestamp) -> [Change] {
        var changes: [Change] = []
        let kept = Set(snapshot.catalogs.map(\.identity))
        for (identity, last) in (states ?? [:]).sorted(by: { $0.key < $1.key }) where !kept.contains(identity) {
            changes.append((.catalog(state: .empty, generation: nil, catalog: last.event.catalog), identity))
        }
        var (next, pictures): ([String: State], [String: Int]) = ([:], [:])
        for catalog in snapshot.catalogs {
            let state = State(
                event: catalog.event(now: now), file: catalog.file, aliases: catalog.aliases, hosts: catalog.hosts)
            next[catalog.identity] = state
            if let states, states[catalog.identity] != state { changes.append((state.event, catalog.identity)) }
            // The count is lower if the catalog was gone meanwhile.
            guard let all = catalog.icons?.arrivals else { continue }
            pictures[catalog.identity] = all
            let stored = all - arrivals[catalog.identity, default: 0]
            if stored > 0 { changes.append((.icons(stored: stored, catalog: catalog.name), catalog.identity)) }
        }
        (states, arrivals) = (next, pictures)
        return changes
    }
}

extension CatalogSnapshot {
    /// The event that reports the catalog's state.
    package func event(now: Timestamp) -> Event {
        let freshness = freshness(now: now)
        return .catalog(state: freshness.state, generation: freshness.generation, catalog: name)
    }
}
