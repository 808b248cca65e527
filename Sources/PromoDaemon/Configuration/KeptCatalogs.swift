import PromoCore
package import PromoWire

/// Which catalogs are kept, of all that files name: one for each address, whatever and by how many files it is called.
package struct KeptCatalogs: Equatable, Sendable {
    /// The most other names of a catalog.
    static let maximumAliases = 16

    /// The catalogs besides the default one, by name.
    package private(set) var others: [NamedCatalog] = []
    /// The other names of the default catalog.
    package private(set) var aliasesOfDefault: [CatalogAlias] = []
    /// The files that are not used.
    package private(set) var ignored = IgnoredFiles()

    /// No other catalog than the default one.
    init() {}

    /// Decides which catalogs are kept. Those of the configuration file come first, then those that are in use, which a new file never
    /// pushes out, then those that can be fetched.
    /// - Parameters:
    ///   - configured: the default catalog.
    ///   - tables: the catalogs of the configuration file.
    ///   - isInUse: whether the catalog of a drop-in was kept before, and may still be served.
    init(
        default configured: CatalogConfiguration, tables: [NamedCatalog], dropIns: DropInCatalogs,
        isInUse: (NamedCatalog) -> Bool
    ) {
        ignored = dropIns.ignored
        let catalogs = dropIns.catalogs.filter { catalog in
            guard let table = tables.first(where: { $0.name == catalog.name }) else { return true }
            let reason = "[catalogs.\(catalog.name)] of \(table.file) counts instead"
            ignored.add(IgnoredFile(catalog, cause: .shadowed, error: reason))
            return false
        }
        let (used, unused) = (catalogs.filter(isInUse), catalogs.filter { !isInUse($0) })
        let sound = unused.filter { $0.problem == nil }
        for catalog in tables + used + sound + unused.filter({ $0.problem != nil }) {
            add(catalog, besides: configured.url)
        }
        others.sort { $0.name < $1.name }
        for index in others.indices { others[index].aliases.sort { $0.name < $1.name } }
        aliasesOfDefault.sort { $0.name < $1.name }
    }

    private mutating func add(_ catalog: NamedCatalog, besides url: HTTPSURL?) {
        let address = catalog.configuration.url?.requestText
        let index = others.firstIndex { address != nil && $0.configuration.url?.requestText == address }
        let isDefault = address != nil && address == url?.requestText
        let names = isDefault ? aliasesOfDefault.count : index.map { others[$0].aliases.count } ?? 0
        if names >= Self.maximumAliases {
            refuse(catalog, "its catalog has \(names) other names already, and promod keeps no more")
        } else if isDefault {
            aliasesOfDefault.append(CatalogAlias(catalog))
        } else if let index {
            others[index].join(catalog)
        } else if others.count + 1 < NamedCatalog.maximumCount {
            others.append(catalog)
        } else {
            refuse(catalog, "there are \(NamedCatalog.maximumCount) catalogs already, and promod keeps no more")
        }
    }

    private mutating func refuse(_ catalog: NamedCatalog, _ reason: String) {
        ignored.add(IgnoredFile(catalog, cause: .limit, error: reason))
    }

    /// The other names of all catalogs.
    var aliases: [CatalogAlias] { aliasesOfDefault + others.flatMap(\.aliases) }

    /// Where review records belong that are under the names of catalogs, or under addresses from which these have moved.
    /// - Parameter had: the addresses that the catalogs of names had, the last one first. What a name had last still belongs to it while
    ///   its file is away or broken.
    func moves(
        default configured: CatalogConfiguration, had: @autoclosure () -> [String: [String]] = [:]
    ) -> [ReviewHistory.Move] {
        var first = NamedCatalog(name: CatalogReference.defaultName, file: "")
        (first.configuration, first.aliases) = (configured, aliasesOfDefault)
        let all = [first] + others
        // Another catalog may still be there.
        let kept = Set(all.compactMap(\.configuration.url?.requestText))
        let isMoving = all.contains { $0.configuration.formerly.contains { !kept.contains($0.requestText) } }
        let had = isMoving ? had() : [:]
        let sound = all.filter { $0.problem == nil && $0.configuration.url != nil }.map(\.name)
        let names = Set(sound + aliases.filter { $0.error == nil }.map(\.name))
        let away = Set(had.compactMap { names.contains($0.key) ? nil : $0.value.first })
        return all.compactMap { catalog in
            guard let address = catalog.configuration.url?.requestText else { return nil }
            let names = [catalog.name] + catalog.aliases.map(\.name)
            let own = Set(names.flatMap { had[$0] ?? [] })
            let former = catalog.problem == nil ? catalog.configuration.formerly.map(\.requestText) : []
            let free = former.filter { !kept.contains($0) && (own.contains($0) || !away.contains($0)) }
            return ReviewHistory.Move(from: names + free, to: address)
        }
    }
}

extension NamedCatalog {
    /// Takes in a file that names the same address. If this one's is wrong, the other decides; the first name stays, by which clients know
    /// the catalog.
    fileprivate mutating func join(_ other: NamedCatalog) {
        guard problem != nil, other.problem == nil else { return aliases.append(CatalogAlias(other)) }
        aliases += [CatalogAlias(self), CatalogAlias(name: other.name, file: other.file)]
        (file, configuration, sources, problem) = (other.file, other.configuration, other.sources, nil)
    }
}

extension CatalogAlias {
    fileprivate init(_ catalog: NamedCatalog) {
        self.init(name: catalog.name, file: catalog.file, error: catalog.problem)
    }
}
