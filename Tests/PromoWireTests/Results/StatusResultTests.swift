import PromoTestSupport
import PromoWire
import Testing

/// The result of `status`.
struct StatusResultTests {
    private static let time = Timestamp(seconds: 1_795_223_340)

    private static var full: StatusResult {
        var refresh = RefreshStatus()
        refresh.url = "https://example.com/catalog.json"
        refresh.activity = .loading
        refresh.nextAt = time + .milliseconds(1)
        refresh.reason = .expiry
        refresh.spread = .seconds(77_760)
        refresh.attempt = 3
        refresh.gone = 2
        refresh.clockAhead = .seconds(-90)
        refresh.lastAttemptAt = time
        refresh.lastOutcome = .updated
        refresh.lastError = Failure(.timeout, "No answer.")
        refresh.heldBack = HeldBackStatus(since: time, apps: 2, lost: 3)
        var counters = QueryCounters()
        counters.connections = 4
        counters.subscribers = 2
        counters.refused = 1
        counters.requests = ["list": 12]
        counters.errorReplies = [.unknownApp: 3, .busy: 2]
        return StatusResult(
            process: ProcessStatus(
                version: "1.2.3", epoch: "e1", pid: 77, startedAt: time, socketPath: "/run/p.sock",
                configurationPath: "/home/ana/c.toml"),
            freshness: Freshness(
                state: .loaded, source: .origin, generation: "5e3a", fetchedAt: time, originAt: time - .seconds(3600),
                expiresAt: time + .seconds(86_400)),
            apps: 5, isOnline: true, refresh: refresh, cache: CacheStatus(path: "/cache/catalog", isStored: true),
            counters: counters, configuration: ConfigurationStatus(file: "/etc/c.toml", error: "Line 3."),
            reviewsError: "Damaged.")
    }

    private static var bare: StatusResult {
        StatusResult(
            process: ProcessStatus(
                version: "1", epoch: "e", pid: 1, startedAt: time, socketPath: "/p", configurationPath: nil),
            freshness: Freshness(state: .empty, source: .none, generation: nil), apps: 0, isOnline: false,
            refresh: RefreshStatus(), cache: CacheStatus(path: "/c", isStored: false), counters: QueryCounters(),
            configuration: ConfigurationStatus())
    }

    private static func members(of value: JSONValue?) -> [String] {
        value?.members.map { "\($0.name.string ?? ""):\(String(decoding: $0.value.text, as: UTF8.self))" } ?? []
    }

    private static func names(of value: JSONValue?) -> [String] {
        value?.members.compactMap(\.name.string) ?? []
    }

    @Test(arguments: [full, bare])
    func theMembersAreThoseOfTheProtocolInItsOrder(status: StatusResult) throws {
        let value = try json(written(status.write))
        #expect(
            Self.names(of: value) == [
                "version", "protocol", "epoch", "pid", "startedAt", "state", "source", "generation",
                "apps", "fetchedAt", "originAt", "expiresAt", "online", "refresh", "cache", "socket", "queries",
                "configuration",
                "reviews", "catalogs",
            ])
        let refresh = [
            "url", "redirectedTo", "proxy", "activity", "nextAt", "reason", "retryAfter", "refusedUntil", "spread",
            "attempt", "gone",
            "attempts",
            "failures",
            "lastAttemptAt", "lastOutcome", "lastDuration",
            "lastError", "clockAhead",
            "heldBack",
        ]
        #expect(Self.names(of: value["refresh"]) == refresh)
        #expect(Self.names(of: value["cache"]) == ["path", "stored", "error"])
        #expect(Self.names(of: value["socket"]) == ["path", "connections", "subscribers", "refused"])
        #expect(Self.names(of: value["queries"]) == MethodTable.all.map(\.name) + ["errors", "errorReasons"])
        #expect(Self.names(of: value["configuration"]) == ["file", "userFile", "error", "ignored"])
    }

    @Test func theProcessAndTheCatalogAreReported() throws {
        let value = try json(written(Self.full.write))
        #expect(
            Self.members(of: value).prefix(13) == [
                #"version:"1.2.3""#, "protocol:1", #"epoch:"e1""#, "pid:77", #"startedAt:"2026-11-21T01:09:00Z""#,
                #"state:"loaded""#, #"source:"origin""#, #"generation:"5e3a""#, "apps:5",
                #"fetchedAt:"2026-11-21T01:09:00Z""#, #"originAt:"2026-11-21T00:09:00Z""#,
                #"expiresAt:"2026-11-22T01:09:00Z""#, "online:true",
            ])
    }

    @Test func theRefreshesAreReported() throws {
        let refresh = try #require(try json(written(Self.full.write))["refresh"])
        #expect(
            Self.members(of: refresh) == [
                #"url:"https://example.com/catalog.json""#, "redirectedTo:null", "proxy:null", #"activity:"loading""#,
                #"nextAt:"2026-11-21T01:09:01Z""#,
                #"reason:"expiry""#, "retryAfter:null", "refusedUntil:null", "spread:77760", "attempt:3", "gone:2",
                "attempts:0",
                "failures:0",
                #"lastAttemptAt:"2026-11-21T01:09:00Z""#,
                #"lastOutcome:"updated""#, "lastDuration:null",
                #"lastError:{"code":"timeout","message":"No answer."}"#,
                "clockAhead:-90", #"heldBack:{"since":"2026-11-21T01:09:00Z","apps":2,"lost":3}"#,
            ])
    }

    @Test func cacheSocketQueriesAndConfigurationAreReported() throws {
        let value = try json(written(Self.full.write))
        #expect(Self.members(of: value["cache"]) == [#"path:"/cache/catalog""#, "stored:true", "error:null"])
        let socket = [#"path:"/run/p.sock""#, "connections:4", "subscribers:2", "refused:1"]
        #expect(Self.members(of: value["socket"]) == socket)
        #expect(
            Self.members(of: value["configuration"]) == [
                #"file:"/etc/c.toml""#, #"userFile:"/home/ana/c.toml""#, #"error:"Line 3.""#, "ignored:[]",
            ])
    }

    @Test func aMethodThatNobodyCalledIsCountedAsZero() throws {
        let queries = try #require(try json(written(Self.full.write))["queries"])
        #expect(queries["list"]?.integer == 12)
        #expect(queries["errors"]?.integer == 5)
        for method in MethodTable.all where method.name != "list" { #expect(queries[method.name]?.integer == 0) }
    }

    @Test func absentFactsAreNull() throws {
        let value = try json(written(Self.bare.write))
        for name in ["generation", "fetchedAt", "expiresAt"] { #expect(value[name]?.kind == .null) }
        for name in ["url", "nextAt", "lastAttemptAt", "lastOutcome", "lastError"] {
            #expect(value["refresh"]?[name]?.kind == .null)
        }
        #expect(value["refresh"]?["activity"]?.string == "idle")
        #expect(value["refresh"]?["reason"]?.string == "none")
        #expect(value["refresh"]?["attempt"]?.integer == 0)
        for name in ["file", "error"] { #expect(value["configuration"]?[name]?.kind == .null) }
    }

    @Test func theProtocolIsVersionOne() {
        #expect(StatusResult.protocolVersion == 1)
    }
}
