import PromoWire

/// Figures about the daemon as gauges and counters, in Prometheus' text format.
struct Figures {
    private typealias Sample = (labels: [(String, String)], value: String)

    private var text = ""
    private let user: String

    /// The figures of a daemon; nil if it cannot be reached.
    /// - Parameter user: whose daemon it is, for the label `user`.
    init(_ status: StatusResult?, user: String, now: Timestamp) {
        self.user = user
        add("promod_up", "Whether promod answers.", status == nil ? 0 : 1)
        guard let status else { return }
        add("promod_build_info", "The version of promod.", [([("version", status.version)], "1")])
        add("promod_start_time_seconds", "When promod started.", Self.seconds(status.startedAt))
        add("promod_online", "Whether the kernel has a route to a global address.", status.isOnline ? 1 : 0)
        let check = FreshnessCheck(status, now: now)
        add(
            "promod_check", "The exit code of promoctl check: 0 is good, 1 too old, 2 broken.",
            check.isBroken ? 2 : check.isFresh ? 0 : 1)
        add("promod_connections", "Connections that are open.", status.socket.connections)
        add("promod_subscribers", "Connections that receive events.", status.socket.subscribers)
        // Two problems may differ in their subjects alone.
        let problems = Set(status.problems.map { [$0.code.rawValue] + [$0.catalog].compactMap(\.self) })
        add(
            "promod_problem", "A current problem; promoctl status describes it.",
            problems.sorted { $0.joined() < $1.joined() }.map { (Array(zip(["code", "catalog"], $0)), "1") })
        add(
            "promod_requests_total", isCounter: true, "Requests carried out, by method.",
            status.requests.sorted { $0.key < $1.key }.map { ([("method", $0.key)], "\($0.value)") })
        add(status.catalogs)
    }

    private mutating func add(_ catalogs: [CatalogStatus]) {
        add(
            "promod_catalog_state", "The state of the catalog and its source, each in a word.",
            catalogs.map { catalog in
                let (state, source) = (catalog.freshness.state.rawValue, catalog.freshness.source.rawValue)
                return ([("catalog", catalog.name), ("state", state), ("source", source)], "1")
            })
        add("promod_catalog_apps", "Apps in the catalog.", of: catalogs, \.apps)
        add("promod_catalog_fetched_timestamp_seconds", "When the origin sent or confirmed the catalog.", of: catalogs)
        {
            $0.freshness.fetchedAt.map(Self.seconds)
        }
        add("promod_catalog_expires_timestamp_seconds", "When the catalog expires.", of: catalogs) {
            $0.freshness.expiresAt.map(Self.seconds)
        }
        add("promod_catalog_next_timestamp_seconds", "When the next attempt is planned.", of: catalogs) {
            $0.nextAt.map(Self.seconds)
        }
        add(
            "promod_catalog_attempts_total", isCounter: true, "Attempts to fetch the catalog.", of: catalogs, \.attempts
        )
        add("promod_catalog_failures", "Attempts that have failed in a row.", of: catalogs, \.failures)
    }

    /// The text.
    var bytes: [UInt8] { Array(text.utf8) }

    // MARK: Samples

    /// A gauge of the whole daemon.
    private mutating func add(_ name: String, _ help: String, _ value: Int) {
        add(name, help, [([], "\(value)")])
    }

    /// A sample of each catalog that has a value.
    private mutating func add(
        _ name: String, isCounter: Bool = false, _ help: String, of catalogs: [CatalogStatus],
        _ value: (CatalogStatus) -> Int?
    ) {
        let samples = catalogs.compactMap { catalog in value(catalog).map { ([("catalog", catalog.name)], "\($0)") } }
        add(name, isCounter: isCounter, help, samples)
    }

    private mutating func add(_ name: String, isCounter: Bool = false, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(isCounter ? "counter" : "gauge")\n"
        for (labels, value) in samples {
            let list = ([("user", user)] + labels).map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            text += "\(name){\(list)} \(value)\n"
        }
    }

    /// A label's value, which another program may have sent.
    private static func escaped(_ value: String) -> String {
        value.printable.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    private static func seconds(_ time: Timestamp) -> Int { Int(time.milliseconds / 1000) }
}
