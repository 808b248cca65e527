import PromoWire

/// The catalogs of all files, in order of precedence: the default one, then by the order of the directories and by name.
///
/// Files with the same address, certificates and proxy are one catalog under several names. A broken file is a catalog that is not
/// fetched, with the address and the hosts that it had last; it takes nothing from the others.
package struct CatalogRoster: Equatable, Sendable {
    /// The most catalogs that are kept.
    package static let maximumCount = 32

    /// A catalog under one or more names.
    package struct Catalog: Equatable, Sendable {
        /// The file whose settings count.
        package let entry: CatalogEntry
        /// The other files that name it.
        package fileprivate(set) var aliases: [CatalogAlias] = []
        /// The apps whose catalog it is, by all of its files.
        package fileprivate(set) var hosts: [String]
        /// The paths of the catalogs that its files bring.
        package fileprivate(set) var bundled: [String]
        /// Its directory in the cache and its address; nil for the sample, and for a broken file that was never valid.
        package let known: KnownCatalogs.Catalog?
        /// The place of the first of its files.
        fileprivate var place: Int

        /// Its directory in the cache; nil for a broken file that was never valid.
        package var digest: String? { known?.digest ?? entry.settings.digest }
        /// Whether it is promod's own sample.
        package var isSample: Bool { entry.settings.source == .sample }
    }

    package private(set) var catalogs: [Catalog] = []
    /// The files of further catalogs, which are not kept.
    package private(set) var refused: [CatalogEntry] = []
    /// What the names are now, for the next roster, and what those without a file were last.
    package private(set) var known = KnownCatalogs()

    /// Puts the catalogs in order.
    /// - Parameters:
    ///   - entries: the files in the order of their directories and names, one for each name.
    ///   - known: what the names were last.
    package init(_ entries: [CatalogEntry], known: KnownCatalogs = KnownCatalogs()) {
        let isDefault: (CatalogEntry) -> Bool = { $0.name == CatalogReference.defaultName }
        let ordered = entries.filter(isDefault) + entries.filter { !isDefault($0) }
        for (place, entry) in ordered.enumerated() where entry.problem == nil {
            add(entry, at: place, entry.settings.known)
        }
        for (place, entry) in ordered.enumerated() where entry.problem != nil {
            let known = known.catalogs[entry.name]
            // Behind all others while there is nothing to serve.
            add(entry, at: known == nil ? ordered.count + place : place, known)
        }
        catalogs.sort { $0.place < $1.place }
        refused = catalogs.dropFirst(Self.maximumCount).map(\.entry)
        catalogs = Array(catalogs.prefix(Self.maximumCount))
        for (name, catalog) in known.catalogs.sorted(by: { $0.key < $1.key })
        where self.known.catalogs.count < KnownCatalogs.maximumCount && self.known.catalogs[name] == nil {
            self.known.catalogs[name] = catalog
        }
    }

    private mutating func add(_ entry: CatalogEntry, at place: Int, _ known: KnownCatalogs.Catalog?) {
        let (hosts, bundled) = (known?.hosts ?? entry.settings.hosts, [entry.bundled].compactMap(\.self))
        self.known.catalogs[entry.name] = known
        guard let index = catalogs.firstIndex(where: { known != nil && $0.digest == known?.digest }) else {
            return catalogs.append(
                Catalog(entry: entry, hosts: hosts, bundled: bundled, known: known, place: place))
        }
        catalogs[index].aliases.append(entry.alias)
        catalogs[index].hosts += hosts
        catalogs[index].bundled += bundled
        catalogs[index].place = min(catalogs[index].place, place)
    }

    /// The names of all catalogs, each with its file.
    package var names: [CatalogAlias] { catalogs.flatMap { [$0.entry.alias] + $0.aliases } }
}

extension CatalogEntry {
    fileprivate var alias: CatalogAlias { CatalogAlias(name: name, file: file ?? "", error: problem) }
}

extension CatalogSettings {
    fileprivate var known: KnownCatalogs.Catalog? {
        guard let digest, let url else { return nil }
        return KnownCatalogs.Catalog(digest: digest, url: url, hosts: hosts)
    }
}
