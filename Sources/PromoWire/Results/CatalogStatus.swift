/// The state of one of the configured catalogs, as `status` reports it.
package struct CatalogStatus: JSONObject, Equatable {
    package var name = ""
    package var file: String?
    package var error: String?
    package var freshness = Freshness()
    /// The number of apps in the served catalog.
    package var apps = 0
    package var refresh = RefreshStatus()
    package var cache = CacheStatus()
    /// The other names of the catalog, by name.
    package var aliases: [CatalogAlias] = []

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("name", &name, CatalogReference.nameForm)
        member("file", &file, "the file that configures it; null if none does")
        member("error", &error, "why it is not fetched: what is wrong in the file")
        freshness.visitMembers(&member, apps: &apps)
        member("refresh", &refresh, "the state of refreshes")
        member("cache", &cache, "the cache file")
        member.ifPresent(
            "alsoNamed", &aliases[unless: []], "the other files that name its address; left out if there are none")
    }

    init() {}

    /// Creates a status from its parts.
    package init(
        name: String, file: String?, error: String?, freshness: Freshness, apps: Int, refresh: RefreshStatus,
        cache: CacheStatus, aliases: [CatalogAlias] = []
    ) {
        (self.name, self.file, self.error, self.freshness) = (name, file, error, freshness)
        (self.apps, self.refresh, self.cache, self.aliases) = (apps, refresh, cache, aliases)
    }
}

/// The state of the cache file, as `status` reports it.
package struct CacheStatus: JSONObject, Equatable {
    package var path = ""
    /// Whether the served catalog is on disk; false for the sample, while empty, and if writing it failed.
    package var isStored = false
    package var error: String?

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("path", &path, "the path of the file")
        member("stored", &isStored, "whether the served catalog is in the file")
        member("error", &error, "why the catalog in the file is not served, or the served one not in it")
    }

    init() {}

    /// Creates a status from its parts.
    package init(path: String, isStored: Bool, error: String? = nil) {
        (self.path, self.isStored, self.error) = (path, isStored, error)
    }
}

/// Another name of a catalog: a file that names the same address, as `status` reports it.
package struct CatalogAlias: JSONObject, Equatable {
    package var name = ""
    package var file = ""
    /// The error in the file, which does not affect the catalog; nil without one.
    package var error: String?

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("name", &name, CatalogReference.nameForm)
        member("file", &file, "the path of the file")
        member("error", &error, "what is wrong in the file; null if nothing is")
    }

    init() {}

    /// Creates an alias from its parts.
    package init(name: String, file: String, error: String? = nil) {
        (self.name, self.file, self.error) = (name, file, error)
    }
}
