import PromoCore
import PromoWire
import Testing

/// Requests that name a catalog.
struct WhichCatalogTests {
    /// A desk with the default catalog (five apps), `acme` (a, b) and `zed` (none yet).
    private func desk() throws -> Desk {
        var desk = try Desk.serving()
        for name in ["acme", "zed"] {
            var catalog = CatalogSnapshot(name: name)
            catalog.url = "https://\(name).example/c.json"
            catalog.address = catalog.url
            desk.snapshot.catalogs.append(catalog)
        }
        desk.snapshot.catalogs[1].served = try HeldCatalog(.of(["a", "b"]), fetchedAt: .start - .hours(2))
        return desk
    }

    private func ids(_ line: String) throws -> [String]? { try desk().ask(line).result["apps"]?.ids }

    private func message(_ line: String) throws -> String {
        guard case .string(let text)? = try desk().ask(line).error["message"] else { return "" }
        return text
    }

    @Test(
        arguments: [
            (#""acme""#, ["a", "b"]), (#""https://acme.example/c.json""#, ["a", "b"]),
            (#""HTTPS://u:p@ACME.example:443/c.json#y""#, ["a", "b"]), (#""zed""#, []),
        ])
    func aListIsOfTheCatalogOfThatNameOrAddress(_ catalog: String, _ apps: [String]) throws {
        #expect(try ids(#"{"method":"list","catalog":\#(catalog)}"#) == apps)
    }

    @Test func aRequestWithoutOneIsAboutTheCatalogThatHasItsHost() throws {
        let desk = try desk()
        let request = #""host":"a","app":"b""#
        #expect(try ids(#"{"method":"list","host":"a"}"#) == ["b"])
        #expect(try desk.ask("{\"method\":\"tap\",\(request)}").result["app"] == "b")
        #expect(try desk.ask("{\"method\":\"icon\",\(request)}").answer == .later(.command(.icon(app: "b", host: "a"))))
        #expect(try desk.ask(#"{"method":"impression","host":"a","apps":["b"]}"#).result["emitted"] == 1)
        let kept = try #require(desk.keptList(ListParameters(host: "a")))
        #expect(String(decoding: kept, as: UTF8.self).contains(#""id":"b""#))
    }

    @Test func anUnknownOneIsRefusedAtOnce() throws {
        let line = #"{"method":"list","catalog":"acmee"}"#
        #expect(try desk().ask(line).answer == .written())
        for words in ["these are: default, acme, zed.", "promoctl setup"] { #expect(try message(line).contains(words)) }
    }

    @Test func anUnknownAddressIsRefusedWithoutItsSecrets() throws {
        let message = try message(#"{"method":"list","catalog":"https://u:secret@acme.example/d.json?k=secret"}"#)
        #expect(message.contains("https://acme.example/d.json"))
        #expect(!message.contains("secret"))
    }

    private static let refused: [(String, JSON)] = [
        (#""tap","app":"a""#, "unknown-app"), (#""tap","app":"finebill","catalog":"acme""#, "unknown-app"),
        (#""tap","app":"a","catalog":"zed""#, "no-catalog"), (#""list","catalog":"acmee""#, "unknown-catalog"),
        (#""status","catalog":"acmee""#, "unknown-catalog"),
    ]

    @Test(arguments: refused)
    func anAppIsUnknownInOtherCatalogsThanItsOwnAndNoOtherNameIsACatalogs(call: String, reason: JSON) throws {
        #expect(try desk().ask("{\"method\":\(call)}", after: .look).error["data"]?["reason"] == reason)
    }

    @Test func anUnknownAppIsReportedWithTheCatalogThatLacksIt() throws {
        let message = try message(#"{"method":"tap","app":"ghost","catalog":"acme"}"#)
        #expect(message == "No app in the catalog \"acme\" has the id \"ghost\"; \"list\" shows those that are there.")
    }

    @Test func anEventNamesItsCatalog() throws {
        let desk = try desk()
        #expect(
            try desk.ask(#"{"method":"tap","app":"b","catalog":"https://acme.example/c.json"}"#).answer
                == .written([.tap(app: "b", host: nil, catalog: "acme")]))
        #expect(
            try desk.ask(#"{"method":"impression","apps":["a"],"host":"h","catalog":"acme"}"#).answer
                == .written([.impression(app: "a", host: "h", catalog: "acme")]))
    }

    @Test func theStatusHasAllOfThem() throws {
        let catalogs = try #require(try desk().status().result["catalogs"]).elements
        #expect(catalogs.map { $0["name"] } == ["default", "acme", "zed"])
        #expect(catalogs.map { $0["apps"] } == [5, 2, 0])
    }

    @Test(arguments: ["\"acme\"", "\"corp\"", "\"https://acme.example/c.json\""])
    func aStatusByAnyNameIsOfThatCatalogAloneWithTheFileOfTheName(reference: String) throws {
        var desk = try desk()
        (desk.snapshot.catalogs[1].file, desk.snapshot.catalogs[1].fileID) = ("/acme.toml", "1:2")
        desk.snapshot.catalogs[1].aliases = [CatalogAlias(name: "corp", file: "/corp.toml", fileID: "1:3")]
        desk.snapshot.problems = [
            Problem(.dns, "a", "No name", catalog: "acme"), Problem(.dns, "z", "No name", catalog: "zed"),
            Problem(.clock, "clock", "Late"),
        ]
        let status = try desk.status(#"{"method":"status","catalog":\#(reference)}"#).result
        let catalogs = try #require(status["catalogs"]).elements
        let file: [JSON?] = reference.contains("corp") ? ["/corp.toml", "1:3"] : ["/acme.toml", "1:2"]
        #expect(catalogs.map { $0["names"] } == [["acme", "corp"]])
        #expect(catalogs.map { [$0["file"], $0["fileID"]] } == [file])
        #expect(try #require(status["problems"]).elements.map { $0["subject"] } == ["a", "clock"])
    }

    @Test(
        arguments: [
            (RefreshResult.Outcome.updated, true, true, nil), (.unchanged, true, true, nil),
            (.failed, true, true, "The last fetch failed"), (nil, true, true, "The last fetch failed"),
            (.updated, true, false, "promod is offline"), (.updated, false, true, "promod does not fetch it now"),
        ] as [(RefreshResult.Outcome?, Bool, Bool, String?)])
    func onlyWhatCanProbablyBeFetchedAgainIsNoLoss(
        outcome: RefreshResult.Outcome?, hasOrigin: Bool, isOnline: Bool, reason: String?
    ) throws {
        var catalog = try Desk.serving().snapshot.first
        var record = RefreshSchedule.Record()
        record.lastOutcome = outcome
        catalog.schedule = RefreshSchedule(
            record, policy: .tested, hasOrigin: hasOrigin, held: .fetched(.start), now: .start)
        let loss = reason.map { "\($0), so this removes the only copy of the catalog default (5 apps)." }
        #expect(catalog.loss(isOnline: isOnline) == loss)
        catalog.served = nil
        #expect(catalog.loss(isOnline: isOnline) == nil)
    }
}
