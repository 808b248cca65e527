package import PromoWire

/// The last publication, which shows the events that the next one causes.
package struct PublishedCatalogs: Sendable {
    /// An event with the address of its catalog, or its name while no address is known.
    package typealias Change = (event: Event, address: String)

    /// The maximum number of catalogs that are remembered.
    private static let maximumNames = 256

    /// The last state of each catalog, by name, as an event.
    private var states: [String: Change] = [:]
    /// The number of pictures that each catalog had received, by name.
    private var arrivals: [String: Int] = [:]

    /// Creates the state before the first publication.
    package init() {}

    /// A snapshot is published.
    /// - Returns: an event for each catalog that is gone or whose state or generation has changed, and one for new
    ///   pictures. The first publication of a catalog causes no event, but its return does.
    package mutating func published(_ snapshot: Snapshot, now: Timestamp) -> [Change] {
        let catalogs = snapshot.catalogs
        let addresses = Dictionary(catalogs.map { ($0.name, $0.identity) }) { first, _ in first }
        var changes: [Change] = []
        let renamed = addGone(besides: addresses, to: &changes)
        for catalog in catalogs {
            let (name, address) = (catalog.name, catalog.identity)
            let freshness = catalog.freshness(now: now)
            let event = Event.catalog(state: freshness.state, generation: freshness.generation, catalog: name)
            let last = states.updateValue((event, address), forKey: name)?.event ?? renamed[address]
            if let last, last != event { changes.append((event, address)) }
            // The count is lower if the catalog was gone meanwhile.
            guard let all = catalog.icons?.arrivals else { continue }
            let before = arrivals.updateValue(all, forKey: name) ?? 0
            if all > before { changes.append((.icons(stored: all - before, catalog: name), address)) }
        }
        return changes
    }

    /// Adds the changes of catalogs that are gone.
    /// - Returns: the last states, by address, of catalogs that were renamed, which are not gone.
    private mutating func addGone(
        besides addresses: [String: String], to changes: inout [Change]
    ) -> [String: Event] {
        let kept = Set(addresses.values)
        var renamed: [String: Event] = [:]
        for (name, last) in states.sorted(by: { $0.key < $1.key }) where addresses[name] != last.address {
            if !kept.contains(last.address) {
                let gone = Event.catalog(state: .empty, generation: nil, catalog: name)
                states[name] = (gone, last.address)
                if gone != last.event { changes.append((gone, last.address)) }
            } else if addresses[name] == nil {
                renamed[last.address] = last.event
                states[name] = nil
            }
        }
        // The names of catalogs that are gone must not accumulate.
        if states.count > Self.maximumNames { states = states.filter { addresses[$0.key] != nil } }
        if arrivals.count > Self.maximumNames { arrivals = arrivals.filter { addresses[$0.key] != nil } }
        return renamed
    }
}
