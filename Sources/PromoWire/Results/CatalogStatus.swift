/// The state of one of the configured catalogs, as `status` reports it.
package struct CatalogStatus: Equatable, Sendable {
    /// The catalog's name.
    package var name: String
    /// The path of the file that configures it; nil if none does.
    package var file: String?
    /// Why it is not fetched: what is wrong in the file; nil if nothing is.
    package var error: String?
    package var freshness: Freshness
    /// The number of apps in the served catalog.
    package var apps: Int
    package var refresh: RefreshStatus
    package var cache: CacheStatus
    /// The other names of the catalog, by name.
    package var aliases: [CatalogAlias]

    /// Creates a status from its parts.
    package init(
        name: String, file: String?, error: String?, freshness: Freshness, apps: Int, refresh: RefreshStatus,
        cache: CacheStatus, aliases: [CatalogAlias] = []
    ) {
        self.name = name
        self.file = file
        self.error = error
        self.freshness = freshness
        self.apps = apps
        self.refresh = refresh
        self.cache = cache
        self.aliases = aliases
    }

    /// Writes the JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("file", file)
            writer.member("error", error)
            freshness.writeState(apps: apps, to: &writer)
            writer.name("refresh")
            refresh.write(to: &writer)
            writer.name("cache")
            cache.write(to: &writer)
            guard !aliases.isEmpty else { return }
            writer.name("alsoNamed")
            writer.array { writer in
                for alias in aliases { alias.write(to: &writer) }
            }
        }
    }
}

extension CatalogStatus {
    /// Whether it has a name, as its first one or as another.
    package func isNamed(_ name: String) -> Bool { self.name == name || aliases.contains { $0.name == name } }

    /// Reads the object in a status.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init(
            name: try json.string("name"), file: try json.optionalString("file"),
            error: try json.optionalString("error"), freshness: try Freshness(json), apps: try json.integer("apps"),
            refresh: try RefreshStatus(try json.object("refresh")), cache: try CacheStatus(try json.object("cache")),
            aliases: json["alsoNamed"] == nil
                ? []
                : try json.elements("alsoNamed") { json throws(MalformedResult) in try CatalogAlias(json) })
    }
}
