import PromoCore
package import PromoWire

/// A catalog besides the default one: its name, the file that configures it, and its configuration.
package struct NamedCatalog: Equatable, Sendable {
    /// The most catalogs, with the default one.
    package static let maximumCount = 32

    package let name: String
    /// The path of the file.
    package var file: String
    package var configuration = CatalogConfiguration()
    /// The place of each key that is set.
    package var sources: ConfigurationLoader.Sources = [:]
    /// The problem of its file, because of which the catalog is not fetched; nil if there is none.
    package var problem: String?
    /// The other files that name its address.
    package var aliases: [CatalogAlias] = []

    /// A catalog without an address yet.
    init(name: String, file: String) {
        self.name = name
        self.file = file
    }

    /// Why a catalog cannot have this name; nil if it can.
    static func problem(ofName name: String) -> String? {
        if name == CatalogReference.defaultName {
            return "the catalog \"\(name)\" is configured in [catalog] of config.toml, and nowhere else"
        }
        if name == SampleCatalog.identity { return "the name \"\(name)\" is that of promod's sample; use another" }
        guard CatalogReference.isName(name) else {
            return "\"\(name.shortened())\" is not a valid name for a catalog; use \(CatalogReference.nameForm)"
        }
        return nil
    }

    /// The keys of one catalog; the others apply to all.
    package static let keys = ConfigurationKey.all.filter { $0.name.hasPrefix(prefix) && $0.name != Proxies.key }

    private static let prefix = "catalog."

    /// A key's name in a drop-in, and in a table of the catalog.
    package static func shortName(of key: ConfigurationKey) -> String { String(key.name.dropFirst(prefix.count)) }

    /// Sets a key's value.
    /// - Parameters:
    ///   - key: the name without a table.
    ///   - table: the prefix of a key's name in messages.
    ///   - bad: gets the problem of the key or the value.
    mutating func set(
        _ key: String, to value: ConfigurationValue, table: String, place: String, _ bad: inout BadConfiguration
    ) {
        guard let known = Self.keys.first(where: { Self.shortName(of: $0) == key }) else {
            let names = Self.keys.map { Self.shortName(of: $0) }
            if Self.prefix + key == Proxies.key {
                return bad.add(
                    at: place, "\(table + key) is not a key: \(Proxies.key) in config.toml is for all catalogs")
            }
            let remedy = "its keys are \(names.joined(separator: ", "))"
            let full = names.map { table + $0 }
            return bad.addUnknown(table + key, at: place, of: "a catalog", among: full, within: 2, remedy)
        }
        sources[key] = place
        // A key's property is one of the whole configuration.
        var whole = Configuration()
        whole.catalog = configuration
        guard known.set(value, &whole) else { return bad.add(at: place, "\(table)\(key) takes \(known.takes)") }
        guard whole.catalog.source != .sample else {
            return bad.add(
                at: place, "\(table)\(key) cannot be the sample, which is for catalog.url in config.toml alone")
        }
        configuration = whole.catalog
    }

    /// Checks that there is an address, and that the certificates can be read.
    func check(table: String, _ readFile: ConfigurationLoader.ReadFile, _ bad: inout BadConfiguration) {
        if configuration.url == nil, sources["url"] == nil {
            bad.add(at: file, "\(table)url is missing, the https address of the catalog")
        }
        if let path = configuration.caFile, let problem = TrustedCertificates.problem(in: path, readFile) {
            bad.add(at: sources["ca-file"] ?? file, problem)
        }
    }
}
