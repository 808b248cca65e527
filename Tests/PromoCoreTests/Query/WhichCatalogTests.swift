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
}
