/// The result of `status`.
package struct StatusResult: MethodResult, Equatable {
    /// The version of the protocol.
    package static let protocolVersion = 1

    package var process: ProcessStatus
    package var freshness: Freshness
    /// The number of apps in the served catalog.
    package var apps: Int
    /// Whether the kernel has a route to a global address.
    package var isOnline: Bool
    package var refresh: RefreshStatus
    package var cache: CacheStatus
    package var counters: QueryCounters
    package var configuration: ConfigurationStatus
    /// Another promod that keeps the cache; nil if this one keeps it.
    package var owner: CacheOwner?
    /// Why the review history cannot be used, so that requests that need it are refused; nil if it can.
    package var reviewsError: String?
    /// All configured catalogs: the default one first, then by name.
    package var catalogs: [CatalogStatus]

    /// Creates a status from its parts.
    package init(
        process: ProcessStatus, freshness: Freshness, apps: Int, isOnline: Bool, refresh: RefreshStatus,
        cache: CacheStatus, counters: QueryCounters, configuration: ConfigurationStatus,
        owner: CacheOwner? = nil, reviewsError: String? = nil, catalogs: [CatalogStatus] = []
    ) {
        self.process = process
        self.freshness = freshness
        self.apps = apps
        self.isOnline = isOnline
        self.refresh = refresh
        self.cache = cache
        self.counters = counters
        self.configuration = configuration
        self.owner = owner
        self.reviewsError = reviewsError
        self.catalogs = catalogs
    }

    /// Writes the result's JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("version", process.version)
            writer.member("protocol", Self.protocolVersion)
            writer.member("epoch", process.epoch)
            writer.member("pid", process.pid)
            writer.member("startedAt", process.startedAt)
            writer.member("crashes", process.crashes)
            freshness.writeState(apps: apps, to: &writer)
            writer.member("online", isOnline)
            writer.name("refresh")
            refresh.write(to: &writer)
            writer.name("cache")
            cache.write(to: &writer)
            writer.name("socket")
            writer.object { writer in
                writer.member("path", process.socketPath)
                writer.member("connections", counters.connections)
                writer.member("subscribers", counters.subscribers)
                writer.member("refused", counters.refused)
            }
            writer.name("queries")
            writer.object { writer in
                for method in MethodTable.all { writer.member(method.name, counters.requests[method.name] ?? 0) }
                writer.member("errors", counters.errors)
                writer.name("errorReasons")
                writer.object { writer in
                    for reason in ErrorReason.allCases {
                        if let count = counters.errorReplies[reason] { writer.member(reason.rawValue, count) }
                    }
                }
            }
            writer.name("configuration")
            writer.object { writer in
                writer.member("file", configuration.file)
                writer.member("userFile", process.configurationPath)
                writer.member("error", configuration.error)
                writer.name("ignored")
                writer.array { writer in
                    for ignored in configuration.ignored { ignored.write(to: &writer) }
                }
                if configuration.ignoredMore > 0 { writer.member("ignoredMore", configuration.ignoredMore) }
            }
            writer.member("owner", owner)
            writer.name("reviews")
            writer.object { $0.member("error", reviewsError) }
            writer.name("catalogs")
            writer.array { writer in
                for catalog in catalogs { catalog.write(to: &writer) }
            }
        }
    }
}

/// The state of the cache file, as `status` reports it.
package struct CacheStatus: Equatable, Sendable {
    package var path: String
    /// Whether the served catalog is on disk; false for the sample, while empty, and if writing it failed.
    package var isStored: Bool
    /// Why the catalog on disk is not served, or the served one not on disk; nil if there is no such problem.
    package var error: String?

    /// Creates a cache status from its parts.
    package init(path: String, isStored: Bool, error: String? = nil) {
        self.path = path
        self.isStored = isStored
        self.error = error
    }

    /// Reads the object in a status.
    init(_ json: JSONValue) throws(MalformedResult) {
        self.init(
            path: try json.string("path"), isStored: try json.boolean("stored"),
            error: try json.optionalString("error"))
    }

    /// Writes the JSON object.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", path)
            writer.member("stored", isStored)
            writer.member("error", error)
        }
    }
}

/// The state of the configuration, as `status` reports it.
package struct ConfigurationStatus: Equatable, Sendable {
    /// The path of the file that is in force or has to be fixed; nil if there is none.
    package var file: String?
    /// Why the configuration as written is not in force; nil if it is.
    package var error: String?
    /// The files of catalogs that are ignored.
    package var ignored: [IgnoredFile]
    /// How many more are ignored than `ignored` has.
    package var ignoredMore: Int

    /// Creates a configuration status from its parts.
    package init(
        file: String? = nil, error: String? = nil, ignored: [IgnoredFile] = [], ignoredMore: Int = 0
    ) {
        self.file = file
        self.error = error
        self.ignored = ignored
        self.ignoredMore = ignoredMore
    }
}

extension StatusResult {
    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        let configuration = try json.object("configuration")
        let socket = try json.object("socket")
        self.init(
            process: ProcessStatus(
                version: try json.string("version"), epoch: try json.string("epoch"), pid: try json.integer("pid"),
                startedAt: try json.time("startedAt"), crashes: json["crashes"]?.integer ?? 0,
                socketPath: try socket.string("path"),
                configurationPath: try configuration.optionalString("userFile")),
            freshness: try Freshness(json), apps: try json.integer("apps"), isOnline: try json.boolean("online"),
            refresh: try RefreshStatus(try json.object("refresh")),
            cache: try CacheStatus(try json.object("cache")),
            counters: try QueryCounters(socket: socket, queries: try json.object("queries")),
            configuration: ConfigurationStatus(
                file: try configuration.optionalString("file"), error: try configuration.optionalString("error"),
                ignored: try configuration.elements("ignored") { json throws(MalformedResult) in
                    try IgnoredFile(json)
                }, ignoredMore: try configuration.optionalInteger("ignoredMore") ?? 0),
            owner: try CacheOwner(in: json),
            // An earlier promod does not report it.
            reviewsError: json["reviews"]?["error"]?.outsideText?.text,
            catalogs: try json.elements("catalogs") { json throws(MalformedResult) in try CatalogStatus(json) })
    }
}

extension StatusResult {
    /// The state of a catalog; nil if there is no such catalog.
    package func catalog(_ reference: CatalogReference) -> CatalogStatus? {
        reference.first(among: catalogs, name: \.name, isNamed: { $0.isNamed($1) }, address: \.refresh.url)
    }

    /// The status with another catalog's state in the place of the default one's; nil if there is no such catalog.
    package func about(_ reference: CatalogReference?) -> StatusResult? {
        guard let reference else { return self }
        guard let found = catalog(reference) else { return nil }
        var status = self
        status.freshness = found.freshness
        status.apps = found.apps
        status.refresh = found.refresh
        status.cache = found.cache
        (status.configuration.file, status.configuration.error) = (found.file, found.error)
        // Another name has a file of its own, which counts unless that of the catalog keeps it from being fetched.
        if found.error == nil, let alias = found.aliases.first(where: { reference == .name($0.name) }) {
            (status.configuration.file, status.configuration.error) = (alias.file, alias.error)
        }
        return status
    }
}
