import PromoCore
import PromoWire
import Testing

@Suite struct StatusReplyTests {
    /// A schedule with the record of some failures, the last one an hour ago.
    private func schedule(
        failing code: ProblemCode? = nil, held: RefreshSchedule.Held = .fetched(.start - .hours(1))
    ) -> RefreshSchedule {
        var record = RefreshSchedule.Record()
        if let code {
            (record.failures, record.lastOutcome, record.lastAttemptAt) = (2, .failed, .start - .minutes(1))
            (record.lastError, record.notBefore) = (Failure(code, "503 \"busy\""), .start + .milliseconds(1))
        }
        return RefreshSchedule(record, policy: .tested, hasOrigin: true, held: held, now: .start) {
            $0.lowerBound
        }
    }

    @Test func everyMemberIsReported() throws {
        var desk = try Desk.serving()
        desk.snapshot.first.url = "https://promo.example/apps.json"
        (desk.snapshot.first.file, desk.snapshot.first.fileID) = ("/c.toml", "1:2")
        desk.snapshot.first.aliases = [CatalogAlias(name: "acme", file: "/acme.toml", fileID: "1:3")]
        desk.snapshot.first.schedule = schedule(failing: .unavailable)
        desk.snapshot.first.attempts = 3
        desk.snapshot.problems = [
            Problem(.unavailable, "https://promo.example/apps.json", "It is busy", since: .start, catalog: "default")
        ]
        (desk.process.socket.connections, desk.process.socket.subscribers) = (4, 3)
        desk.process.requests = ["list": 12, "tap": 1]
        let reply = try desk.status()
        #expect(reply.answer == .written())
        #expect(
            try reply.result == [
                "version": "1.2.3", "protocol": 1, "epoch": "e0", "pid": 42, "startedAt": "2027-01-14T08:00:00Z",
                "startedBy": "command-line", "online": true,
                "problems": [
                    [
                        "code": "unavailable", "subject": "https://promo.example/apps.json", "text": "It is busy.",
                        "advice": "Wait: the origin is overloaded or out of order.", "since": "2027-01-15T08:00:00Z",
                        "catalog": "default",
                    ]
                ],
                "catalogs": [
                    [
                        "name": "default", "names": ["default", "acme"], "file": "/c.toml", "fileID": "1:2",
                        "url": "https://promo.example/apps.json", "state": "fresh", "source": "origin",
                        "generation": .string(try PreparedCatalog.sample().generation), "apps": 5,
                        "fetchedAt": "2027-01-15T07:00:00Z", "expiresAt": "2027-01-16T07:00:00Z",
                        "nextAt": "2027-01-15T08:00:01Z", "nextReason": "retry", "attempts": 3, "failures": 2,
                        "lastAttemptAt": "2027-01-15T07:59:00Z", "lastOutcome": "failed", "lastError": "unavailable",
                        "refreshing": false,
                    ]
                ],
                "socket": ["path": "/run/promod.sock", "connections": 4, "subscribers": 3],
                "requests": ["list": 12, "tap": 1],
            ])
    }

    @Test(arguments: [(nil, true), (ProblemCode.unavailable, true), (.proxy, false)])
    func aProxyIsARouteUnlessTheLastFetchCouldNotConnectToIt(failure: ProblemCode?, isOnline: Bool) throws {
        var desk = try Desk.serving()
        desk.isOnline = false
        #expect(try desk.status().result["online"] == false)
        desk.snapshot.first.hasProxy = true
        desk.snapshot.first.schedule = schedule(failing: failure)
        #expect(try desk.status().result["online"] == JSON(booleanLiteral: isOnline))
        let tap = try desk.ask(#"{"method":"tap","params":{"app":"bookary"}}"#).result
        #expect(tap["presentation"] == .string(isOnline ? "store" : "offline"))
    }

    @Test func itComesAfterALookAtTheDisk() throws {
        #expect(try Desk.serving().ask(#"{"method":"status"}"#).answer == .later(.look))
    }

    @Test func absentFactsAreNull() throws {
        var desk = Desk.empty()
        desk.isOnline = false
        desk.snapshot.first = CatalogSnapshot()
        let status = try desk.status().result
        #expect(["online", "problems", "requests"].map { status[$0] } == [false, [], [:]])
        #expect(
            status["catalogs"] == [
                [
                    "name": "default", "names": ["default"], "file": .null, "fileID": .null, "url": .null,
                    "state": "empty", "source": "none", "generation": .null, "apps": 0, "fetchedAt": .null,
                    "expiresAt": .null, "nextAt": .null, "nextReason": "none", "attempts": 0, "failures": 0,
                    "lastAttemptAt": .null, "lastOutcome": .null, "lastError": .null, "refreshing": false,
                ]
            ])
    }

    @Test func theStateIsOneWordWhateverTheRefreshDoes() throws {
        func words(_ desk: Desk) throws -> [JSON?] {
            let catalog = try desk.status().result["catalogs"]?.elements.first
            return [catalog?["state"], catalog?["refreshing"]]
        }
        #expect(try words(.serving()) == ["fresh", false])
        #expect(try words(.serving(fetchedAt: nil)) == ["fresh", false])
        #expect(try words(.serving(fetchedAt: .start - .days(2))) == ["expired", false])
        #expect(try words(.empty()) == ["empty", false])
        #expect(try words(.loading()) == ["loading", true])
    }

    // MARK: Problems

    private func problems(_ change: (inout CatalogSnapshot) throws -> Void) throws -> [Problem] {
        var catalog = try Desk.serving().snapshot.first
        catalog.schedule = schedule()
        try change(&catalog)
        return catalog.problems(now: .start)
    }

    @Test func aFailedFetchIsOneWithItsCodeAndAFreshCatalogHasNone() throws {
        #expect(try problems { _ in } == [])
        let found = try problems { $0.schedule = schedule(failing: .tls) }
        #expect(found.map(\.code.known) == [.tls])
        #expect(found.first?.text == "503 \"busy\".")
        #expect(found.first?.catalog == "default")
    }

    @Test func theAdviceIsMadeForTheCatalogsNameFileAndAddress() throws {
        var catalog = try Desk.serving().snapshot.first
        (catalog.name, catalog.file, catalog.isOfPackage) = ("acme", "/c/acme.toml", true)
        (catalog.url, catalog.address) = ("https://a.example/c", "https://a.example/c")
        func advice(_ code: ProblemCode, isOnline: Bool = true) -> String? {
            catalog.schedule = schedule(failing: code)
            return catalog.problems(now: .start) { isOnline }.first?.advice
        }
        let setup = "override /c/acme.toml with: promoctl setup ADDRESS --catalog acme"
        #expect(advice(.notFound)?.hasSuffix(setup) == true)
        #expect(advice(.json)?.contains("\"promoctl validate https://a.example/c\"") == true)
        #expect(advice(.dns, isOnline: false)?.hasPrefix("This machine is offline.") == true)
        catalog.address = "https://a.example/c?token=secret"
        #expect(advice(.json)?.contains("\"promoctl validate\" with its address") == true)
    }

    private static let unknown = Timestamp(seconds: 0)

    @Test(
        arguments: [
            (.days(2), nil, .start - .days(1), "The catalog has expired."), (.days(2), .dns, unknown, "503 \"busy\"."),
            (.days(-2), nil, unknown, "The catalog was fetched at a time ahead of the clock."),
        ] as [(Duration, ProblemCode?, Timestamp, String)])
    func anExpiredCatalogIsOneSinceItsExpiryUnlessItsFetchFailed(
        age: Duration, failure: ProblemCode?, since: Timestamp, text: String
    ) throws {
        let found = try problems { catalog in
            catalog.served = try HeldCatalog(.sample(), fetchedAt: .start - age)
            catalog.schedule = schedule(failing: failure, held: .fetched(.start - age))
        }
        #expect(found.map(\.code.known) == [failure ?? .expired])
        #expect(found.map(\.text) == [text])
        #expect(found.map(\.since) == [since])
    }

    @Test func aCatalogThatHasMovedIsOneAlsoBesideAFailure() throws {
        for failure in [nil, ProblemCode.dns] {
            let found = try problems { catalog in
                var before = schedule()
                before.succeeded(.updated, isWhole: true, movedTo: "https://b.example/c", now: .start)
                var record = try #require(RefreshSchedule.Record(fileBytes: before.record.fileBytes))
                record.lastError = failure.map { Failure($0, "No.") }
                catalog.schedule = RefreshSchedule(
                    record, policy: .tested, hasOrigin: true, held: .fetched(.start), now: .start)
            }
            #expect(found.map(\.code.known) == [failure, .moved].filter { $0 != nil })
            #expect(found.last?.text == "The catalog has moved for good to https://b.example/c.")
        }
    }

    @Test func brokenFilesAndACacheThatCannotBeWrittenAreSome() throws {
        let found = try problems { catalog in
            (catalog.file, catalog.error) = ("/a.toml", "line 3: what?")
            catalog.aliases = [
                CatalogAlias(name: "b", file: "/b.toml", error: "no"), CatalogAlias(name: "c", file: "/c.toml"),
            ]
            (catalog.cachePath, catalog.storage) = ("/cache", "It cannot be stored")
            // An old failure is told no more.
            catalog.schedule = schedule(failing: .dns)
        }
        #expect(found.map(\.code.known) == [.catalogFile, .catalogFile, .storage])
        #expect(found.map(\.subject) == ["/a.toml", "/b.toml", "/cache"])
    }

    @Test func aProblemKeepsTheTimeAtWhichItBegan() {
        var log = ProblemLog()
        let (disk, dns) = (Problem(.diskFull, "/c", "1 byte"), Problem(.dns, "u", "No name", catalog: "a"))
        #expect(log.update([disk], now: .start).map(\.since) == [.start])
        let later = Problem(.diskFull, "/c", "0 bytes")
        #expect(log.update([later, dns], now: .start + .hours(1)).map(\.since) == [.start, .start + .hours(1)])
        #expect(log.update([dns], now: .start + .hours(2)).map(\.since) == [.start + .hours(1)])
        // One that comes back begins anew.
        #expect(log.update([disk], now: .start + .hours(3)).map(\.since) == [.start + .hours(3)])
    }
}
