import PromoCore
import PromoWire
import Testing

/// Requests that name a catalog.
struct WhichCatalogTests {
    /// A desk with the default catalog (five apps), `acme` (a, b) and `zed` (none yet).
    private func desk() throws -> Desk {
        var desk = try Desk.serving()
        desk.snapshot.first.url = "https://default.example/c.json"
        desk.snapshot.first.address = "https://default.example/c.json"
        for (name, apps) in [("acme", ["a", "b"]), ("zed", [])] {
            var catalog = CatalogSnapshot(name: name)
            catalog.url = "https://\(name).example/c.json"
            catalog.address = "https://\(name).example/c.json"
            if !apps.isEmpty {
                catalog.served = try HeldCatalog(.of(apps), fetchedAt: .start - .hours(2))
            }
            desk.snapshot.catalogs.append(catalog)
        }
        return desk
    }

    private func ids(_ reply: Desk.Reply) throws -> [String] {
        try reply.result["apps"]?.elements.compactMap { $0["id"].flatMap(text) } ?? []
    }

    private func text(_ json: JSON) -> String? {
        if case .string(let text) = json { text } else { nil }
    }

    private func message(_ reply: Desk.Reply) throws -> String {
        try #require(reply.error["message"].flatMap(text))
    }

    @Test(
        arguments: [
            (#""acme""#, ["a", "b"]), (#""https://acme.example/c.json""#, ["a", "b"]),
            (#""HTTPS://u:p@ACME.example:443/c.json#y""#, ["a", "b"]), (#""zed""#, []),
        ])
    func aListIsOfTheCatalogOfThatNameOrAddress(_ catalog: String, _ apps: [String]) throws {
        let reply = try desk().ask(#"{"method":"list","catalog":\#(catalog)}"#)
        #expect(try ids(reply) == apps)
    }

    @Test func aRequestWithoutOneIsAboutTheCatalogThatHasItsHost() throws {
        let desk = try desk()
        let request = #""host":"a","app":"b""#
        #expect(try ids(desk.ask(#"{"method":"list","host":"a"}"#)) == ["b"])
        #expect(try desk.ask("{\"method\":\"tap\",\(request)}").result["app"] == "b")
        #expect(try desk.ask("{\"method\":\"icon\",\(request)}").answer == .later(.command(.icon(app: "b", host: "a"))))
        #expect(try desk.ask(#"{"method":"impression","host":"a","apps":["b"]}"#).result["emitted"] == .integer(1))
        #expect(
            desk.keptList(ListParameters(host: "a")).map { String(decoding: $0, as: UTF8.self) }?.contains(
                #""id":"b""#) == true)
    }

    @Test func anUnknownOneIsRefusedAtOnce() throws {
        let reply = try desk().ask(#"{"method":"list","catalog":"acmee"}"#)
        #expect(reply.answer == .written())
        #expect(try reply.error["code"] == .integer(-32009))
        #expect(try reply.error["data"]?["reason"] == .string("unknown-catalog"))
        let message = try message(reply)
        #expect(message.contains("these are: default, acme, zed."))
        #expect(message.contains("promoctl setup"))
    }

    @Test func anUnknownAddressIsRefusedWithoutItsSecrets() throws {
        let reply = try desk().ask(
            #"{"method":"list","catalog":"https://u:secret@acme.example/d.json?k=secret"}"#)
        let message = try message(reply)
        #expect(message.contains("https://acme.example/d.json") && !message.contains("secret"))
    }

    @Test func anAppIsKnownInItsCatalogAlone() throws {
        let desk = try desk()
        #expect(try desk.ask(#"{"method":"tap","app":"a","catalog":"acme"}"#).result["app"] == .string("a"))
        #expect(try desk.ask(#"{"method":"tap","app":"a"}"#).error["data"]?["reason"] == .string("unknown-app"))
        #expect(
            try desk.ask(#"{"method":"tap","app":"finebill","catalog":"acme"}"#).error["data"]?["reason"]
                == .string("unknown-app"))
        #expect(
            try desk.ask(#"{"method":"tap","app":"a","catalog":"zed"}"#).error["data"]?["reason"]
                == .string("no-catalog"))
    }

    @Test func anUnknownAppIsReportedWithTheCatalogThatLacksIt() throws {
        let message = try message(desk().ask(#"{"method":"tap","app":"ghost","catalog":"acme"}"#))
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
        let reply = try JSONDocument(try desk().status().bytes, maximumDepth: 9).root
        let status = try StatusResult(try #require(reply["result"]))
        #expect(status.catalogs.map(\.name) == ["default", "acme", "zed"])
        #expect(status.catalogs.map(\.apps) == [5, 2, 0])
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
        let line = #"{"method":"status","catalog":\#(reference)}"#
        let status = try StatusResult(
            try #require(JSONDocument(desk.status(line).bytes, maximumDepth: 9).root["result"]))
        let isCorp = reference.contains("corp")
        #expect(status.catalogs.map(\.names) == [["acme", "corp"]])
        #expect(status.catalogs.map(\.file) == [isCorp ? "/corp.toml" : "/acme.toml"])
        #expect(status.catalogs.map(\.fileID) == [isCorp ? "1:3" : "1:2"])
        #expect(status.problems.map(\.subject) == ["a", "clock"])
    }

    @Test func aStatusOfAnUnknownNameIsRefused() throws {
        let reply = try desk().status(#"{"method":"status","catalog":"ghost"}"#)
        #expect(try reply.error["data"]?["reason"] == .string("unknown-catalog"))
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
