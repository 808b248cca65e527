import PromoCore
package import PromoWire

/// The catalogs that are kept, of all that files name: one for each address, under one or more names.
package struct KeptCatalogs: Equatable, Sendable {
    /// The most other names of a catalog.
    static let maximumAliases = 16

    /// The catalogs besides the default one, by name.
    package private(set) var others: [NamedCatalog] = []
    /// The other names of the default catalog.
    package private(set) var aliasesOfDefault: [CatalogAlias] = []
    /// The files that are not used.
    package private(set) var ignored = IgnoredFiles()
    /// The addresses of the names, without those of files that were never valid.
    private(set) var addresses: [String: String] = [:]
    /// What the files claim of addresses.
    private var claims: [String: Claims] = [:]

    private struct Claims: Equatable, Sendable {
        /// The names of all files with the address, including unused ones.
        var names: [String] = []
        /// The addresses from which it has moved, by the valid files that are used.
        var former: [String] = []
    }

    /// No other catalog than the default one.
    init() {}

    /// Decides which catalogs are kept: first those of the configuration file, then those in use, under any name, so that a new file never
    /// pushes them out, then those that can be fetched.
    /// - Parameters:
    ///   - configured: the default catalog.
    ///   - tables: the catalogs of the configuration file.
    ///   - before: what was kept before.
    ///   - cached: the names with a cache in use, with their latest addresses; an address that is not known is empty.
    init(
        default configured: CatalogConfiguration, tables: [NamedCatalog], dropIns: DropInCatalogs,
        before: KeptCatalogs = KeptCatalogs(), cached: [String: String]
    ) {
        ignored = dropIns.ignored
        let catalogs = dropIns.catalogs.filter { catalog in
            guard let table = tables.first(where: { $0.name == catalog.name }) else { return true }
            let reason = "[catalogs.\(catalog.name)] of \(table.file) counts instead"
            ignored.add(IgnoredFile(catalog, cause: .shadowed, error: reason))
            return false
        }
        let use = Use(before, cached, of: catalogs)
        for catalog in tables + catalogs.sorted(by: { use.rank($0) < use.rank($1) }) {
            let isUsed = add(catalog, besides: configured.url)
            guard let address = catalog.configuration.url?.requestText else { continue }
            claims[address, default: Claims()].names.append(catalog.name)
            guard isUsed else { continue }
            if catalog.problem == nil || address == before.addresses[catalog.name] { addresses[catalog.name] = address }
            if catalog.problem == nil { claims[address]?.former += catalog.configuration.formerly.map(\.requestText) }
        }
        for (name, address) in dropIns.hidden.sorted(by: { $0.key < $1.key })
        where !tables.contains(where: { $0.name == name }) {
            claims[address, default: Claims()].names.append(name)
        }
        others.sort { $0.name < $1.name }
        for index in others.indices { others[index].aliases.sort { $0.name < $1.name } }
        aliasesOfDefault.sort { $0.name < $1.name }
    }

    /// Adds a catalog, or a name of one.
    /// - Returns: whether there was room.
    private mutating func add(_ catalog: NamedCatalog, besides url: HTTPSURL?) -> Bool {
        let address = catalog.configuration.url?.requestText
        let index = others.firstIndex { address != nil && $0.configuration.url?.requestText == address }
        let isDefault = address != nil && address == url?.requestText
        let names = isDefault ? aliasesOfDefault.count : index.map { others[$0].aliases.count } ?? 0
        guard names < Self.maximumAliases else {
            return refuse(catalog, "its catalog has \(names) other names already, and promod keeps no more")
        }
        if isDefault {
            aliasesOfDefault.append(CatalogAlias(catalog))
        } else if let index {
            others[index].join(catalog)
        } else if others.count + 1 < NamedCatalog.maximumCount {
            others.append(catalog)
        } else {
            return refuse(
                catalog,
                "there are \(NamedCatalog.maximumCount) catalogs already, with the default one, and promod keeps no more"
            )
        }
        return true
    }

    private mutating func refuse(_ catalog: NamedCatalog, _ reason: String) -> Bool {
        ignored.add(IgnoredFile(catalog, cause: .limit, error: reason))
        return false
    }

    /// The other names of all catalogs.
    var aliases: [CatalogAlias] { aliasesOfDefault + others.flatMap(\.aliases) }
}

/// What is in use already, by which files are ranked.
private struct Use {
    /// The latest addresses of the names.
    private let addresses: [String: String]
    /// The addresses of all catalogs that are in use.
    private let all: Set<String>
    /// The first names of the catalogs in use.
    private let first: Set<String>
    private let cached: [String: String]
    /// The addresses in valid files.
    private let named: Set<String>

    init(_ before: KeptCatalogs, _ cached: [String: String], of catalogs: [NamedCatalog]) {
        self.cached = cached
        addresses = cached.merging(before.addresses) { $1 }
        all = Set(addresses.values)
        first = Set(cached.keys).union(before.others.map(\.name))
        named = Set(catalogs.filter { $0.problem == nil }.compactMap(\.configuration.url?.requestText))
    }

    /// The rank of a file; lower ones count first.
    func rank(_ catalog: NamedCatalog) -> Int {
        let last = addresses[catalog.name]
        let others = catalog.problem == nil ? 4 : 5
        guard let address = catalog.configuration.url?.requestText else {
            // The catalog is served from its cache, unless it has another name now.
            return cached[catalog.name].map { named.contains($0) ? others : 0 } ?? others
        }
        if last == address { return first.contains(catalog.name) ? 0 : 1 }
        return all.contains(address) ? 2 : last != nil ? 3 : others
    }
}

extension NamedCatalog {
    /// Joins a file with the same address. If this file is broken, the other one's settings count. The first name stays, because clients
    /// know the catalog by it.
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
