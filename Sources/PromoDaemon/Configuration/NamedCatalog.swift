package import PromoWire

/// A catalog besides the default one: its name, the file that configures it, and its configuration.
package struct NamedCatalog: Equatable, Sendable {
    /// The most catalogs, with the default one.
    package static let maximumCount = 32

    package let name: String
    /// The path of the file.
    package var file: String
    package var configuration = CatalogConfiguration()
    /// For each key that is set, the place where it is.
    package var sources: ConfigurationLoader.Sources = [:]
    /// What is wrong in its file, so that the catalog is not fetched; nil if nothing is.
    package var problem: String?
    /// The other files that name its address.
    package var aliases: [CatalogAlias] = []

    /// A catalog without an address yet.
    init(name: String, file: String) {
        self.name = name
        self.file = file
    }

    /// Why a catalog must not have this name; nil if it may.
    static func problem(ofName name: String) -> String? {
        if name == CatalogReference.defaultName {
            return "the catalog \"\(name)\" is configured in [catalog] of config.toml, and nowhere else"
        }
        guard CatalogReference.isName(name) else {
            return "\"\(name.shortened())\" is not a valid name for a catalog; use \(CatalogReference.nameForm)"
        }
        return nil
    }

    /// The keys that it takes; the others are the same for all catalogs.
    package static let keys = ConfigurationKey.all.filter { $0.name.hasPrefix(prefix) && $0.name != Proxies.key }

    private static let prefix = "catalog."

    /// A key's name in a drop-in, and in a table of the catalog.
    package static func shortName(of key: ConfigurationKey) -> String { String(key.name.dropFirst(prefix.count)) }

    /// Sets a key's value.
    /// - Parameters:
    ///   - key: the name without a table.
    ///   - table: what a message writes before a key's name.
    /// - Throws: ``ConfigurationProblem`` if there is no such key, or if it does not take the value.
    mutating func set(
        _ key: String, to value: ConfigurationValue, table: String, place: String
    ) throws(ConfigurationProblem) {
        guard let known = Self.keys.first(where: { Self.shortName(of: $0) == key }) else {
            let names = Self.keys.map { Self.shortName(of: $0) }
            let shown = (table + key).shortened()
            if Self.prefix + key == Proxies.key {
                throw ConfigurationProblem(
                    place: place, message: "\(shown) is not a key: \(Proxies.key) in config.toml is for all catalogs")
            }
            let meant = nearestWord(to: key, among: names, within: 2).map { "; did you mean \(table)\($0)?" }
            throw ConfigurationProblem(
                place: place,
                message:
                    "\(shown) is not a key of a catalog\(meant ?? "; its keys are \(names.joined(separator: ", "))")")
        }
        sources[key] = place
        // A key's place is in the whole configuration.
        var whole = Configuration()
        whole.catalog = configuration
        guard known.set(value, in: &whole) else {
            throw ConfigurationProblem(place: place, message: "\(table)\(key) takes \(known.takes)")
        }
        guard whole.catalog.source != .sample else {
            throw ConfigurationProblem(
                place: place,
                message: "\(table)\(key) cannot be the sample, which is for catalog.url in config.toml alone")
        }
        configuration = whole.catalog
    }

    /// What is wrong with the whole: there is no address, or the certificates cannot be read.
    func problems(table: String, _ readFile: ConfigurationLoader.ReadFile) -> [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        if configuration.url == nil, sources["url"] == nil {
            problems.append(
                ConfigurationProblem(
                    place: file, message: "\(table)url is missing, the https address of the catalog"))
        }
        if let path = configuration.caFile, let problem = TrustedCertificates.problem(in: path, readFile) {
            problems.append(ConfigurationProblem(place: sources["ca-file"] ?? file, message: problem))
        }
        return problems
    }
}
