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

    private var text = ""
    private let format: Format
    private let user: String

    /// The figures of a daemon; nil if it cannot be reached.
    /// - Parameters:
    ///   - user: whose daemon it is, for the label `user`.
    ///   - residentBytes: the memory of its process; nil if that is not known.
    init(_ status: StatusResult?, as format: Format, user: String, residentBytes: Int? = nil, now: Timestamp) {
        (self.format, self.user) = (format, user)
        family("promod_up", .gauge, "Whether promod answers.")
        sample("promod_up", [], status == nil ? "0" : "1")
        if let status {
            addProcess(status, residentBytes)
            addCatalogs(status.catalogs, now: now)
        }
        if format == .openmetrics { text += "# EOF\n" }
    }

    /// The text.
    var bytes: [UInt8] { Array(text.utf8) }

    // MARK: Families

    private mutating func addProcess(_ status: StatusResult, _ residentBytes: Int?) {
        family("promod_build_info", .gauge, "The version of promod.")
        sample("promod_build_info", [("version", status.process.version)], "1")
        family("promod_start_time_seconds", .gauge, "When promod started.", unit: "seconds")
        sample("promod_start_time_seconds", [], Self.seconds(status.process.startedAt))
        family("promod_crashes_in_a_row", .gauge, "Runs before this one that ended unexpectedly in a row.")
        sample("promod_crashes_in_a_row", [], "\(status.process.crashes)")
        if let residentBytes {
            family("promod_resident_memory_bytes", .gauge, "Resident memory of promod's process.", unit: "bytes")
            sample("promod_resident_memory_bytes", [], "\(residentBytes)")
        }
        family("promod_online", .gauge, "Whether the kernel has a route to a global address.")
        sample("promod_online", [], Self.flag(status.isOnline))
        family("promod_configuration_broken", .gauge, "Whether the configuration as written is not in force.")
        sample("promod_configuration_broken", [], Self.flag(status.configuration.error != nil))
        family("promod_reviews_broken", .gauge, "Whether the review history cannot be used.")
        sample("promod_reviews_broken", [], Self.flag(status.reviewsError != nil))
        let counters = status.counters
        family("promod_connections", .gauge, "Connections that are open.")
        sample("promod_connections", [], "\(counters.connections)")
        family("promod_subscribers", .gauge, "Connections that receive events.")
        sample("promod_subscribers", [], "\(counters.subscribers)")
        family("promod_refused_connections", .counter, "Connections that were refused.")
        sample("promod_refused_connections_total", [], "\(counters.refused)")
        family("promod_requests", .counter, "Requests that were carried out.")
        for method in MethodTable.all {
            sample("promod_requests_total", [("method", method.name)], "\(counters.requests[method.name] ?? 0)")
        }
        family("promod_error_replies", .counter, "Error replies that were sent.")
        for reason in ErrorReason.allCases {
            sample(
                "promod_error_replies_total", [("reason", reason.rawValue)], "\(counters.errorReplies[reason] ?? 0)")
        }
    }

    private mutating func addCatalogs(_ catalogs: [CatalogStatus], now: Timestamp) {
        each(catalogs, "promod_catalog_state", .gauge, "The state of the catalog.") { catalog in
            Freshness.State.allCases.map {
                ([("state", $0.rawValue)], Self.flag($0 == catalog.freshness.state))
            }
        }
        each(catalogs, "promod_catalog_broken", .gauge, "Whether the catalog is not fetched because its file is wrong.")
        {
            [([], Self.flag($0.error != nil))]
        }
        each(catalogs, "promod_catalog_apps", .gauge, "Apps in the catalog.") { [([], "\($0.apps)")] }
        each(
            catalogs, "promod_catalog_age_seconds", .gauge, "Time since the origin sent or confirmed the catalog.",
            unit: "seconds"
        ) {
            catalog in
            catalog.freshness.originAt.map { [([], "\(max(0, (now - $0).components.seconds))")] } ?? []
        }
        each(
            catalogs, "promod_catalog_fetched_timestamp_seconds", .gauge,
            "When the catalog was fetched or confirmed.", unit: "seconds"
        ) {
            catalog in
            catalog.freshness.fetchedAt.map { [([], Self.seconds($0))] } ?? []
        }
        each(
            catalogs, "promod_catalog_signature_expires_timestamp_seconds", .gauge,
            "When the catalog's signature expires.",
            unit: "seconds"
        ) {
            catalog in
            catalog.freshness.signedUntil.map { [([], Self.seconds($0))] } ?? []
        }
        each(catalogs, "promod_catalog_stored", .gauge, "Whether the catalog is on disk.") {
            [([], Self.flag($0.cache.isStored))]
        }
        each(catalogs, "promod_refresh_attempts", .counter, "Attempts to fetch the catalog.", suffix: "_total") {
            [([], "\($0.refresh.attempts)")]
        }
        each(
            catalogs, "promod_refresh_failures", .counter, "Attempts to fetch the catalog that failed.",
            suffix: "_total"
        ) {
            [([], "\($0.refresh.failures)")]
        }
        each(catalogs, "promod_refresh_failures_in_a_row", .gauge, "Attempts that failed since the last that did not.")
        {
            [([], "\($0.refresh.attempt)")]
        }
        each(
            catalogs, "promod_refresh_last_duration_seconds", .gauge, "How long the last fetch took.", unit: "seconds"
        ) { catalog in
            catalog.refresh.lastDuration.map { [([], Self.seconds($0))] } ?? []
        }
        let outcomes: [RefreshResult.Outcome] = [.updated, .unchanged, .heldBack, .failed]
        each(catalogs, "promod_refresh_last_outcome", .gauge, "How the last attempt ended.") { catalog in
            outcomes.map {
                ([("outcome", $0.rawValue)], Self.flag($0 == catalog.refresh.lastOutcome))
            }
        }
        each(
            catalogs, "promod_refresh_last_error", .gauge,
            "Why the last attempt failed, or a signed catalog was refused since the last good one."
        ) { catalog in
            PromoWire.Failure.Code.allCases.map {
                ([("code", $0.rawValue)], Self.flag($0 == catalog.refresh.lastError?.code))
            }
        }
        each(
            catalogs, "promod_refresh_next_timestamp_seconds", .gauge, "When the next attempt is planned.",
            unit: "seconds"
        ) {
            catalog in
            catalog.refresh.nextAt.map { [([], Self.seconds($0))] } ?? []
        }
    }

    // MARK: Lines

    /// A family with the samples of each catalog.
    private mutating func each(
        _ catalogs: [CatalogStatus], _ name: String, _ kind: Kind, _ help: String, unit: String? = nil,
        suffix: String = "",
        _ samples: (CatalogStatus) -> [(labels: [(String, String)], value: String)]
    ) {
        family(name, kind, help, unit: unit)
        for catalog in catalogs {
            for (labels, value) in samples(catalog) {
                sample(name + suffix, [("catalog", catalog.name)] + labels, value)
            }
        }
    }

    private mutating func family(_ name: String, _ kind: Kind, _ help: String, unit: String? = nil) {
        // In Prometheus' format a counter is named as its samples are.
        let name = format == .prometheus && kind == .counter ? "\(name)_total" : name
        if format == .prometheus { text += "# HELP \(name) \(help)\n" }
        text += "# TYPE \(name) \(kind.rawValue)\n"
        guard format == .openmetrics else { return }
        if let unit { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(help)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)], _ value: String) {
        let list = ([("user", user)] + labels).map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        text += "\(name){\(list)} \(value)\n"
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
