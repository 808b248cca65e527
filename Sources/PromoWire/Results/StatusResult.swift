/// The result of `status`.
package struct StatusResult: MethodResult, JSONObject, Equatable {
    /// The version of the protocol.
    package static let protocolVersion = 1

    package var process = ProcessStatus()
    package var freshness = Freshness()
    /// The number of apps in the served catalog.
    package var apps = 0
    package var isOnline = false
    package var refresh = RefreshStatus()
    package var cache = CacheStatus()
    package var counters = QueryCounters()
    package var configuration = ConfigurationStatus()
    package var reviewsError: String?
    /// All configured catalogs: the default one first, then by name.
    package var catalogs: [CatalogStatus] = []

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("version", &process.version, "promod's version")
        member.derived("protocol", Self.protocolVersion, "the version of this protocol")
        member("epoch", &process.epoch, "the identifier of the daemon's run")
        member("pid", &process.pid, "the daemon's process id")
        member("startedAt", &process.startedAt, "when the daemon started")
        freshness.visitMembers(&member, apps: &apps)
        member("online", &isOnline, "whether the kernel has a route to a global address")
        member("refresh", &refresh, "the state of refreshes")
        member("cache", &cache, "the cache file")
        member.object("socket", "SocketStatus", "the socket and its connections") { member in
            member("path", &process.socketPath, "the path of the socket")
            counters.visitConnections(&member)
        }
        member.object(
            "queries", "QueryCounts", "requests carried out since the start, by method, and error replies sent"
        ) { counters.visitQueries(&$0) }
        member.object("configuration", "ConfigurationStatus", "the state of the configuration") { member in
            member(
                "file", &configuration.file, "the file that is in force or has to be fixed; null if there is none")
            member("userFile", &process.configurationPath, "the user's file, whether or not it exists")
            member("error", &configuration.error, "why the configuration as written is not in force; null if it is")
            member("ignored", &configuration.ignored, "files of catalogs that are ignored")
            member.ifPresent(
                "ignoredMore", &configuration.ignoredMore[unless: 0], "how many more are ignored; left out if none is")
        }
        member.object("reviews", "ReviewsStatus", "the state of the review history") { member in
            member(
                "error", &reviewsError,
                "why it cannot be used, so that review requests are refused; null if it can")
        }
        member("catalogs", &catalogs, "all configured catalogs; the members above are about the default one")
    }

    init() {}

    /// Creates a status from its parts.
    package init(
        process: ProcessStatus, freshness: Freshness, apps: Int, isOnline: Bool, refresh: RefreshStatus,
        cache: CacheStatus, counters: QueryCounters, configuration: ConfigurationStatus,
        reviewsError: String? = nil, catalogs: [CatalogStatus] = []
    ) {
        (self.process, self.freshness, self.apps, self.isOnline) = (process, freshness, apps, isOnline)
        (self.refresh, self.cache, self.counters, self.configuration) = (refresh, cache, counters, configuration)
        (self.reviewsError, self.catalogs) = (reviewsError, catalogs)
    }
}

/// The daemon's process, as `status` reports it.
package struct ProcessStatus: Equatable, Sendable {
    package var version = ""
    package var epoch = ""
    package var pid = 0
    package var startedAt = Timestamp(seconds: 0)
    package var socketPath = ""
    /// Nil from a daemon that does not report it.
    package var configurationPath: String?

    init() {}

    /// Creates a process status from its parts.
    package init(
        version: String, epoch: String, pid: Int, startedAt: Timestamp, socketPath: String,
        configurationPath: String?
    ) {
        (self.version, self.epoch, self.pid, self.startedAt) = (version, epoch, pid, startedAt)
        (self.socketPath, self.configurationPath) = (socketPath, configurationPath)
    }
}

/// The state of the configuration, as `status` reports it.
package struct ConfigurationStatus: Equatable, Sendable {
    package var file: String?
    package var error: String?
    package var ignored: [IgnoredFile]
    package var ignoredMore: Int

    /// Creates a configuration status from its parts.
    package init(file: String? = nil, error: String? = nil, ignored: [IgnoredFile] = [], ignoredMore: Int = 0) {
        (self.file, self.error, self.ignored, self.ignoredMore) = (file, error, ignored, ignoredMore)
    }
}

/// A file of a catalog that promod does not use, as `status` reports it.
package struct IgnoredFile: JSONObject, Equatable {
    /// Why promod does not use it.
    package enum Cause: String, Word {
        /// The file or its directory cannot be read, or its name is not that of a catalog.
        case invalid
        /// Another file hides the catalog of its name.
        case hidden
        /// A more important file configures the catalog of its name.
        case shadowed
        /// There are too many catalogs.
        case limit

        package static let title = "IgnoredCause"
    }

    package var file = ""
    /// Why promod ignores it, as a sentence.
    package var error = ""
    package var cause = Cause.invalid
    /// The name of its catalog; nil if it has none.
    package var catalog: String?

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("file", &file, "the path of the file")
        member("error", &error, "why it is ignored")
        member("cause", &cause, "what keeps promod from using it")
        member("catalog", &catalog, "the name of its catalog; null if it has none")
    }

    init() {}

    /// Creates a report from its parts.
    package init(file: String, error: String, cause: Cause = .invalid, catalog: String? = nil) {
        (self.file, self.error, self.cause, self.catalog) = (file, error, cause, catalog)
    }
}
