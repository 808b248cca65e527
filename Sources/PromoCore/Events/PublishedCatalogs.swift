package import PromoWire

/// The last publication, which shows the events that the next one causes.
package struct PublishedCatalogs: Sendable {
    /// What clients see of a catalog, and what decides which requests are about it.
    private struct State: Equatable {
        let event: Event
        /// Why the last fetch failed, because that and its end may change what a list says.
        let failure: ProblemCode?
        let identity: String
        let file: String?
        let aliases: [CatalogAlias]
        let hosts: [String]
    }

    /// The last state of each catalog, by its name; nil before the first publication.
    private var states: [String: State]?
    /// The number of pictures that each catalog had received, by its identity.
    private var arrivals: [String: Int] = [:]

    /// Creates the state before the first publication.
    package init() {}

    /// A snapshot is published.
    /// - Returns: an event for each name that has come, changed or gone, and one for new pictures. The first publication causes none.
    package mutating func published(_ snapshot: Snapshot, now: Timestamp) -> [Event] {
        let kept = Set(snapshot.catalogs.map(\.name))
        var events = (states ?? [:]).keys.sorted().filter { !kept.contains($0) }
            .map { Event.catalog(state: .empty, generation: nil, catalog: $0) }
        var (next, pictures): ([String: State], [String: Int]) = ([:], [:])
        for catalog in snapshot.catalogs {
            let state = State(
                event: catalog.event(now: now), failure: catalog.schedule.record.lastError?.code.known,
                identity: catalog.identity, file: catalog.file, aliases: catalog.aliases, hosts: catalog.hosts)
            next[catalog.name] = state
            if let states, states[catalog.name] != state { events.append(state.event) }
            // The count is lower if the catalog was gone meanwhile.
            guard let all = catalog.icons?.arrivals else { continue }
            pictures[catalog.identity] = all
            let stored = all - arrivals[catalog.identity, default: 0]
            if stored > 0 { events.append(.icons(stored: stored, catalog: catalog.name)) }
        }
        (states, arrivals) = (next, pictures)
        return events
    }
}

extension CatalogSnapshot {
    /// The event that reports the catalog's state.
    fileprivate func event(now: Timestamp) -> Event {
        let freshness = freshness(now: now)
        return .catalog(state: freshness.state, generation: freshness.generation, catalog: name)
    }
}
