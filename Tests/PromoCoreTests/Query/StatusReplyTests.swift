import PromoCore
import PromoWire
import Testing

@Suite struct StatusReplyTests {
    private func status(_ desk: Desk) throws -> JSON {
        try desk.ask(#"{"method":"status"}"#).result
    }

    /// The member `queries`, with each method at zero except the given ones.
    private func queries(_ counts: [String: JSON]) -> JSON {
        let zeros = Dictionary(uniqueKeysWithValues: MethodTable.all.map { ($0.name, JSON.integer(0)) })
        return .object(zeros.merging(["errors": 0, "errorReasons": .object([:])]) { $1 }.merging(counts) { $1 })
    }

    @Test func everyMemberIsReported() throws {
        var desk = try Desk.serving()
        desk.snapshot.first.refresh.url = "https://promo.example/apps.json"
        desk.snapshot.first.refresh.proxy = ProxyStatus(url: "http://proxy.example:3128", source: "https_proxy")
        desk.snapshot.first.refresh.nextAt = .start + .hours(23) + .milliseconds(1)
        desk.snapshot.first.refresh.reason = .retryAfter
        desk.snapshot.first.refresh.attempt = 2
        desk.snapshot.first.refresh.lastAttemptAt = .start - .milliseconds(1)
        desk.snapshot.first.refresh.lastOutcome = .failed
        desk.snapshot.first.refresh.lastDuration = .milliseconds(1250)
        desk.snapshot.first.refresh.lastError = Failure(.httpStatus, "503 \"busy\"")
        desk.snapshot.first.cache.isStored = true
        desk.snapshot.configuration = ConfigurationStatus(file: "/c.toml", error: "line 3: what?")
        desk.counters.connections = 4
        desk.counters.subscribers = 3
        desk.counters.refused = 2
        desk.counters.requests = ["list": 12, "tap": 1]
        desk.counters.errorReplies = [.unknownApp: 3, .parseError: 2]
        desk.snapshot.reviewsError = "The review history is damaged."
        let reply = try desk.ask(#"{"method":"status"}"#)
        #expect(reply.answer == .written())
        #expect(
            try reply.result == [
                "version": "1.2.3", "protocol": 1, "epoch": "e0", "pid": 42, "startedAt": "2027-01-14T08:00:00Z",
                "state": "loaded", "source": "origin",
                "generation": .string(try PreparedCatalog.sample().generation), "apps": 5,
                "fetchedAt": "2027-01-15T07:00:00Z", "originAt": "2027-01-15T07:00:00Z",
                "expiresAt": "2027-01-16T07:00:00Z", "online": true,
                "refresh": [
                    "url": "https://promo.example/apps.json", "redirectedTo": .null,
                    "proxy": ["url": "http://proxy.example:3128", "source": "https_proxy"], "activity": "idle",
                    "nextAt": "2027-01-16T07:00:01Z",
                    "reason": "retryAfter", "retryAfter": .null, "attempt": 2, "attempts": 0, "failures": 0,
                    "lastAttemptAt": "2027-01-15T07:59:59Z",
                    "lastOutcome": "failed", "lastDuration": 1250,
                    "lastError": ["code": "http-status", "message": "503 \"busy\""],
                ],
                "cache": ["path": "/cache/catalogs/0123456789abcdef/catalog", "stored": true, "error": .null],
                "socket": ["path": "/run/promod.sock", "connections": 4, "subscribers": 3, "refused": 2],
                "queries": queries([
                    "list": 12, "tap": 1, "errors": 5, "errorReasons": ["parse-error": 2, "unknown-app": 3],
                ]),
                "configuration": [
                    "file": "/c.toml", "userFile": "/home/ana/.config/promod/config.toml", "error": "line 3: what?",
                    "ignored": [],
                ],
                "reviews": ["error": "The review history is damaged."], "catalogs": [catalog(try reply.result)],
            ])
    }

    @Test func absentFactsAreNull() throws {
        var desk = Desk.empty()
        desk.isOnline = false
        desk.snapshot.first.refresh.url = nil
        #expect(
            try status(desk) == [
                "version": "1.2.3", "protocol": 1, "epoch": "e0", "pid": 42, "startedAt": "2027-01-14T08:00:00Z",
                "state": "empty", "source": "none", "generation": .null, "apps": 0,
                "fetchedAt": .null, "originAt": .null, "expiresAt": .null, "online": false,
                "refresh": [
                    "url": .null, "redirectedTo": .null, "proxy": .null, "activity": "idle", "nextAt": .null,
                    "reason": "none",
                    "retryAfter": .null, "attempt": 0, "attempts": 0,
                    "failures": 0,
                    "lastAttemptAt": .null, "lastOutcome": .null, "lastDuration": .null, "lastError": .null,
                ],
                "cache": ["path": "/cache/catalogs/0123456789abcdef/catalog", "stored": false, "error": .null],
                "socket": ["path": "/run/promod.sock", "connections": 0, "subscribers": 0, "refused": 0],
                "queries": queries([:]),
                "configuration": [
                    "file": .null, "userFile": "/home/ana/.config/promod/config.toml", "error": .null,
                    "ignored": [],
                ],
                "reviews": ["error": .null], "catalogs": [catalog(try status(desk))],
            ])
    }

    /// The default catalog among the catalogs, which has the same state as the status itself.
    private func catalog(_ status: JSON) -> JSON {
        let names = [
            "state", "source", "generation", "apps", "fetchedAt", "originAt", "expiresAt", "refresh",
            "cache",
        ]
        var members: [String: JSON] = ["name": "default", "file": .null, "error": .null]
        for name in names { members[name] = status[name] }
        return .object(members)
    }

    @Test func theStateIsOneWordWhateverTheRefreshDoes() throws {
        func words(_ desk: Desk) throws -> [JSON?] {
            let status = try status(desk)
            return [status["state"], status["refresh"]?["activity"]]
        }
        #expect(try words(.serving()) == ["loaded", "idle"])
        #expect(try words(.serving(fetchedAt: nil)) == ["loaded", "idle"])
        #expect(try words(.serving(fetchedAt: .start - .days(2))) == ["cached", "idle"])
        #expect(try words(.empty()) == ["empty", "idle"])
        #expect(try words(.loading()) == ["loading", "loading"])
    }

    @Test func aStatusWithAnExpiredCatalogStartsNoFetch() throws {
        #expect(try Desk.serving(fetchedAt: .start - .days(2)).ask(#"{"method":"status"}"#).answer == .written())
    }

    @Test(arguments: Failure.Code.allCases)
    func everyErrorHasItsCode(code: Failure.Code) throws {
        var desk = Desk.empty()
        desk.snapshot.first.refresh.lastError = Failure(code, "m")
        #expect(try status(desk)["refresh"]?["lastError"]?["code"] == .string(code.rawValue))
    }
}
