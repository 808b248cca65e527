import PromoCore
import PromoWire
import Testing

/// The state and the times in the result of `list`.
@Suite struct ListStateTests {
    private func head(_ desk: Desk) throws -> JSON {
        guard case .object(var members) = try desk.ask(#"{"method":"list"}"#).result else { return .null }
        members["apps"] = nil
        return .object(members)
    }

    @Test func aCatalogFromACacheIsAsOldAsTheOriginsWord() throws {
        var desk = try Desk.serving()
        desk.snapshot.first.served?.contents?.header.age = .days(9) - .hours(1)
        #expect(try head(desk)["state"] == "fresh")
        #expect(try head(desk)["fetchedAt"] == "2027-01-06T08:00:00Z")
        #expect(try head(desk)["expiresAt"] == "2027-01-16T07:00:00Z")
    }

    private static let failed: JSON = ["code": "dns", "message": "The host cannot be found."]

    @Test(arguments: [(nil, failed), (.days(9), failed), (.hours(23), nil)] as [(Duration?, JSON?)])
    func anEmptyOrExpiredListSaysWhyThereIsNoNewerOne(age: Duration?, error: JSON?) throws {
        let time = age.map { Timestamp.start - $0 }
        var (desk, record) = (try time.map { try Desk.serving(fetchedAt: $0) } ?? .empty(), RefreshSchedule.Record())
        #expect(try head(desk)["error"] == nil)
        record.lastError = Failure(.dns, "The host cannot be found.")
        desk.snapshot.first.schedule = RefreshSchedule(
            record, policy: .tested, hasOrigin: true, held: time.map { .fetched($0) } ?? .nothing, now: .start)
        #expect(try head(desk)["error"] == error)
    }

    @Test(arguments: [
        (Duration.hours(24), "expired"), (.hours(24) - .milliseconds(1), "fresh"), (.minutes(-5), "fresh"),
        (.minutes(-6), "expired"),
    ])
    func aCatalogIsServedAndCachedFromItsExpiryOnOrIfItIsFromTheFuture(age: Duration, state: String) throws {
        let result = try Desk.serving(fetchedAt: .start - age).ask(#"{"method":"list"}"#).result
        #expect([result["state"], result["source"]] == [.string(state), "origin"])
        #expect(result["apps"]?.ids.count == 5)
    }

    @Test func theIntervalIsThatOfTheConfiguration() throws {
        var desk = try Desk.serving()
        var policy = RefreshPolicy.tested
        policy.interval = .minutes(30)
        desk.snapshot.first.schedule.configured(policy, hasOrigin: true, now: desk.now)
        #expect(try head(desk)["state"] == "expired")
        #expect(try head(desk)["expiresAt"] == "2027-01-15T07:30:00Z")
    }

    @Test func withoutAConfiguredCatalogItIsEmptyAndSaysWhy() throws {
        let desk = Desk(snapshot: Snapshot())
        #expect(
            try desk.ask(#"{"method":"list"}"#).result == [
                "state": "empty", "source": "none", "generation": .null, "fetchedAt": .null, "expiresAt": .null,
                "canRetry": false, "retryAt": .null, "hostKnown": .null, "language": "en", "apps": [],
                "emptyBecause": "not-configured",
            ])
        #expect(try desk.status().result["catalogs"] == [])
        for method in ["tap", "icon"] {
            let error = try desk.ask("{\"method\":\"\(method)\",\"app\":\"a\"}").error
            #expect(error["message"] == .string(Unconfigured.text))
        }
    }

    @Test func withoutACatalogItIsLoadingOrEmpty() throws {
        let none: [String: JSON] = [
            "source": "none", "generation": .null, "fetchedAt": .null, "expiresAt": .null, "hostKnown": .null,
            "language": "en", "apps": [],
        ]
        func expected(_ members: [String: JSON]) -> JSON { .object(none.merging(members) { $1 }) }
        let line = #"{"method":"list"}"#
        #expect(
            try Desk.loading().ask(line).result
                == expected(["state": "loading", "canRetry": false, "retryAt": .null]))
        // A backoff keeps no person from trying, and the time of the next attempt is rounded up.
        #expect(
            try Desk.empty(pause: .start + .hours(1) + .milliseconds(1)).ask(line).result
                == expected(["state": "empty", "canRetry": true, "retryAt": "2027-01-15T09:00:01Z"]))
        var desk = Desk.empty()
        desk.snapshot.first.schedule.configured(.tested, hasOrigin: false, now: .start)
        #expect(try desk.ask(line).result == expected(["state": "empty", "canRetry": false, "retryAt": .null]))
    }

    @Test func aFetchOfAnExpiredCatalogIsNotLoading() throws {
        var desk = try Desk.serving(fetchedAt: .start - .days(9))
        desk.snapshot.first.schedule = RefreshSchedule(
            policy: .tested, hasOrigin: true, held: .fetched(.start - .days(9)), now: .start)
        _ = desk.snapshot.first.schedule.answered(now: .start)
        #expect(try head(desk)["state"] == "expired")
    }
}
