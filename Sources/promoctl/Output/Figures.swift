import PromoWire

/// Figures about the daemon as gauges and counters, in the text format of OpenMetrics 1.0 or in the older one of Prometheus.
struct Figures {
    /// A text format.
    enum Format: String, CaseIterable {
        case openmetrics, prometheus
    }

    private enum Kind: String {
        case gauge, counter
    }

    private typealias Sample = (labels: [(String, String)], value: String)

    private var text = ""
    private let format: Format
    private let user: String

    /// The figures of a daemon; nil if it cannot be reached.
    /// - Parameters:
    ///   - user: whose daemon it is, for the label `user`.
    ///   - residentBytes: the memory of its process; nil if that is not known.
    init(_ status: StatusResult?, as format: Format, user: String, residentBytes: Int? = nil, now: Timestamp) {
        (self.format, self.user) = (format, user)
        add("promod_up", "Whether promod answers.", Self.flag(status != nil))
        if let status {
            addProcess(status, residentBytes)
            addCatalogs(status.catalogs, now: now)
            addRefreshes(status.catalogs)
        }
        if format == .openmetrics { text += "# EOF\n" }
    }

    /// The text.
    var bytes: [UInt8] { Array(text.utf8) }

    // MARK: Families

    private mutating func addProcess(_ status: StatusResult, _ residentBytes: Int?) {
        let (process, counters) = (status.process, status.counters)
        family("promod_build_info", .gauge, "The version of promod.", [([("version", process.version)], "1")])
        add("promod_start_time_seconds", "When promod started.", Self.seconds(process.startedAt))
        if let residentBytes {
            add("promod_resident_memory_bytes", "Resident memory of promod's process.", "\(residentBytes)")
        }
        add("promod_online", "Whether the kernel has a route to a global address.", Self.flag(status.isOnline))
        add(
            "promod_configuration_broken", "Whether the configuration as written is not in force.",
            Self.flag(status.configuration.error != nil))
        add(
            "promod_reviews_broken", "Whether the review history cannot be used.", Self.flag(status.reviewsError != nil)
        )
        add("promod_connections", "Connections that are open.", "\(counters.connections)")
        add("promod_subscribers", "Connections that receive events.", "\(counters.subscribers)")
        family(
            "promod_refused_connections", .counter, "Connections that were refused.", [([], "\(counters.refused)")])
        family(
            "promod_requests", .counter, "Requests that were carried out.",
            MethodTable.all.map { ([("method", $0.name)], "\(counters.requests[$0.name] ?? 0)") })
        family(
            "promod_error_replies", .counter, "Error replies that were sent.",
            ErrorReason.allCases.map { ([("reason", $0.rawValue)], "\(counters.errorReplies[$0] ?? 0)") })
    }

    private mutating func addCatalogs(_ catalogs: [CatalogStatus], now: Timestamp) {
        addWords(
            "promod_catalog_state", "The state of the catalog.", "state", Freshness.State.allCases, of: catalogs
        ) { $0.freshness.state }
        add("promod_catalog_broken", "Whether the catalog is not fetched because its file is wrong.", of: catalogs) {
            Self.flag($0.error != nil)
        }
        add("promod_catalog_apps", "Apps in the catalog.", of: catalogs) { "\($0.apps)" }
        add(
            "promod_catalog_age_seconds", "Time since the origin sent or confirmed the catalog.", of: catalogs
        ) { $0.freshness.originAt.map { "\(max(0, (now - $0).components.seconds))" } }
        add(
            "promod_catalog_fetched_timestamp_seconds", "When the catalog was fetched or confirmed.", of: catalogs
        ) { $0.freshness.fetchedAt.map(Self.seconds) }
        add("promod_catalog_stored", "Whether the catalog is on disk.", of: catalogs) { Self.flag($0.cache.isStored) }
    }

    private mutating func addRefreshes(_ catalogs: [CatalogStatus]) {
        add("promod_refresh_attempts", kind: .counter, "Attempts to fetch the catalog.", of: catalogs) {
            "\($0.refresh.attempts)"
        }
        add("promod_refresh_failures", kind: .counter, "Attempts to fetch the catalog that failed.", of: catalogs) {
            "\($0.refresh.failures)"
        }
        add(
            "promod_refresh_failures_in_a_row", "Attempts that failed since the last that did not.", of: catalogs
        ) { "\($0.refresh.attempt)" }
        add("promod_refresh_last_duration_seconds", "How long the last fetch took.", of: catalogs) {
            $0.refresh.lastDuration.map(Self.seconds)
        }
        addWords(
            "promod_refresh_last_outcome", "How the last attempt ended.", "outcome",
            [.updated, .unchanged, .failed], of: catalogs
        ) { $0.refresh.lastOutcome }
        addWords(
            "promod_refresh_last_error", "Why the last attempt failed.", "code", PromoWire.Failure.Code.allCases,
            of: catalogs
        ) { $0.refresh.lastError?.code }
        add("promod_refresh_next_timestamp_seconds", "When the next attempt is planned.", of: catalogs) {
            $0.refresh.nextAt.map(Self.seconds)
        }
    }

    // MARK: Samples

    /// A gauge of the whole daemon.
    private mutating func add(_ name: String, _ help: String, _ value: String) {
        family(name, .gauge, help, [([], value)])
    }

    /// A family with a sample of each catalog that has a value.
    private mutating func add(
        _ name: String, kind: Kind = .gauge, _ help: String, of catalogs: [CatalogStatus],
        _ value: (CatalogStatus) -> String?
    ) {
        let samples = catalogs.compactMap { catalog in value(catalog).map { ([("catalog", catalog.name)], $0) } }
        family(name, kind, help, samples)
    }

    /// A family with a sample of each catalog for each word, which is 1 for the word that applies.
    private mutating func addWords<Word: RawRepresentable<String> & Equatable>(
        _ name: String, _ help: String, _ label: String, _ words: [Word], of catalogs: [CatalogStatus],
        _ current: (CatalogStatus) -> Word?
    ) {
        let samples = catalogs.flatMap { catalog in
            words.map { word -> Sample in
                ([("catalog", catalog.name), (label, word.rawValue)], Self.flag(word == current(catalog)))
            }
        }
        family(name, .gauge, help, samples)
    }

    private mutating func family(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        let sampleName = kind == .counter ? name + "_total" : name
        // In Prometheus' format a counter is named as its samples are.
        let familyName = format == .prometheus ? sampleName : name
        let help = "# HELP \(familyName) \(help)\n"
        if format == .prometheus { text += help }
        text += "# TYPE \(familyName) \(kind.rawValue)\n"
        if format == .openmetrics {
            let unit = ["seconds", "bytes"].first { name.hasSuffix("_\($0)") }
            text += (unit.map { "# UNIT \(name) \($0)\n" } ?? "") + help
        }
        for (labels, value) in samples {
            let list = ([("user", user)] + labels).map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            text += "\(sampleName){\(list)} \(value)\n"
        }
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func flag(_ isSet: Bool) -> String { isSet ? "1" : "0" }

    private static func seconds(_ duration: Duration) -> String {
        let thousandths = String(1000 + duration.milliseconds % 1000).dropFirst()
        return "\(duration.milliseconds / 1000).\(thousandths)"
    }

    private static func seconds(_ time: Timestamp) -> String { "\(time.milliseconds / 1000)" }
}
