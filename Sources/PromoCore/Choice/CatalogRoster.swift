package import PromoWire

/// The catalogs of all drop-ins, in order of precedence: the default one, then by the order of the directories and by name.
///
/// Drop-ins with the same address, certificates and proxy are one catalog under several names. A broken one is a catalog that is not
/// fetched; it takes nothing from the others.
package struct CatalogRoster: Equatable, Sendable {
    /// The most catalogs that are kept, and of those with drop-ins that apps have written, the most that do not rest.
    package static let maximumCount = 32
    /// How long a catalog of an app is kept fresh for which no client asks.
    static let restAfter = Duration.seconds(30 * 86_400)

    /// A catalog under one or more names.
    package struct Catalog: Equatable, Sendable {
        /// The drop-in whose settings count.
        package let entry: CatalogEntry
        /// The other drop-ins that name it.
        package fileprivate(set) var aliases: [CatalogAlias] = []
        /// The apps whose catalog it is, by all of its drop-ins.
        package fileprivate(set) var hosts: [String]
        /// The paths of the catalogs that its drop-ins bring.
        package fileprivate(set) var bundled: [String]
        /// Its directory in the cache; nil for a broken drop-in that was never valid.
        package let digest: String?
        /// The place of the first of its drop-ins.
        fileprivate var place: Int

        /// Whether it is promod's own sample.
        package var isSample: Bool { entry.settings.source == .sample }
    }

    package private(set) var catalogs: [Catalog] = []
    /// The drop-ins of further catalogs, which are not kept.
    package private(set) var refused: [CatalogEntry] = []

    /// Puts the catalogs in order.
    /// - Parameter entries: the drop-ins in the order of their directories and names, one for each name.
    package init(_ entries: [CatalogEntry]) {
        let isDefault: (CatalogEntry) -> Bool = { $0.name == CatalogReference.defaultName }
        let ordered = entries.filter(isDefault) + entries.filter { !isDefault($0) }
        for (place, entry) in ordered.enumerated() where entry.problem == nil { add(entry, at: place) }
        for (place, entry) in ordered.enumerated() where entry.problem != nil {
            // Behind all others while there is nothing to serve.
            add(entry, at: entry.settings.source == nil ? ordered.count + place : place)
        }
        catalogs.sort { $0.place < $1.place }
        let kept = Set(catalogs.filter { !$0.entry.isOfApp }.prefix(Self.maximumCount).map(\.place))
        refused = catalogs.filter { !$0.entry.isOfApp && !kept.contains($0.place) }.map(\.entry)
        catalogs.removeAll { !$0.entry.isOfApp && !kept.contains($0.place) }
    }

    /// The digests of the catalogs of apps that rest: those for which no client has asked for long, and of too many those for which clients
    /// have asked longest ago.
    package func resting(now: Timestamp, askedAt: (_ digest: String) -> Timestamp?) -> Set<String> {
        let apps = catalogs.filter(\.entry.isOfApp).compactMap(\.digest)
        let asked = apps.compactMap { digest in askedAt(digest).map { (digest, $0) } }
            .filter { now - $0.1 < Self.restAfter }.sorted { $0.1 > $1.1 }
        let room = max(Self.maximumCount - (catalogs.count - apps.count), 0)
        return Set(apps).subtracting(asked.prefix(room).map(\.0))
    }

    private mutating func add(_ entry: CatalogEntry, at place: Int) {
        let (digest, bundled) = (entry.settings.digest, [entry.bundled].compactMap(\.self))
        guard let index = catalogs.firstIndex(where: { digest != nil && $0.digest == digest }) else {
            return catalogs.append(
                Catalog(entry: entry, hosts: entry.settings.hosts, bundled: bundled, digest: digest, place: place))
        }
        catalogs[index].aliases.append(entry.alias)
        catalogs[index].hosts += entry.settings.hosts
        catalogs[index].bundled += bundled
        catalogs[index].place = min(catalogs[index].place, place)
    }

    /// The names of all catalogs, each with its drop-in.
    package var names: [CatalogAlias] { catalogs.flatMap { [$0.entry.alias] + $0.aliases } }
}

extension CatalogEntry {
    fileprivate var alias: CatalogAlias { CatalogAlias(name: name, file: file ?? "", fileID: fileID, error: problem) }
}
