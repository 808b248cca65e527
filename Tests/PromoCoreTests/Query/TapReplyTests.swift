import PromoCore
import PromoWire
import Testing

@Suite struct TapReplyTests {
    @Test func withANetworkItIsTheStore() throws {
        let reply = try Desk.serving().ask(#"{"method":"tap","app":"bookary","host":"finebill"}"#)
        #expect(reply.answer == .written([.tap(app: "bookary", host: "finebill")]))
        #expect(
            try reply.result == [
                "app": "bookary", "appStoreID": "6470000002", "presentation": "store",
                "storeURL": "https://example.com/?app=bookary",
            ])
    }

    @Test(arguments: Language.allCases)
    func withoutANetworkItIsTheMessageInTheLanguageAskedFor(language: Language) throws {
        var desk = try Desk.serving()
        desk.isOnline = false
        let line = "{\"method\":\"tap\",\"app\":\"bookary\",\"language\":\"\(language.rawValue)\"}"
        #expect(
            try desk.ask(line).result == [
                "app": "bookary", "appStoreID": "6470000002", "presentation": "offline",
                "message": .string(OfflineMessage.text(in: language)),
                "storeURL": "https://example.com/?app=bookary",
            ])
    }

    @Test(arguments: Language.allCases)
    func withoutALanguageTheMessageIsInTheDaemonsOwn(language: Language) throws {
        var desk = try Desk.serving()
        desk.isOnline = false
        desk.language = language
        let message = try desk.ask(#"{"method":"tap","app":"bookary"}"#).result["message"]
        #expect(message == .string(OfflineMessage.text(in: language)))
    }

    @Test(arguments: ["finebill", "littory", "newcomer"])
    func noRuleKeepsAnAppFromBeingTapped(host: String) throws {
        let line = "{\"method\":\"tap\",\"app\":\"stedio\",\"host\":\"\(host)\"}"
        #expect(try Desk.serving().ask(line).result["app"] == "stedio")
    }

    @Test func aHostMayTapItself() throws {
        #expect(try Desk.serving().ask(#"{"method":"tap","app":"stedio","host":"stedio"}"#).result["app"] == "stedio")
    }

    @Test func anAppOutsideTheCatalogIsUnknown() throws {
        let reply = try Desk.serving().ask(#"{"method":"tap","app":"book\"ary😀"}"#)
        #expect(reply.answer == .written())
        #expect(try reply.error["code"] == -32001)
        #expect(try reply.error["data"] == ["reason": "unknown-app"])
        #expect(try reply.json["result"] == nil)
    }

    @Test func whileEmptyThereIsNoCatalog() throws {
        for desk in [Desk.empty(), .loading()] {
            let reply = try desk.ask(#"{"method":"tap","app":"bookary"}"#)
            #expect(reply.answer == .written())
            #expect(try reply.error["code"] == -32002)
            #expect(try reply.error["data"] == ["reason": "no-catalog"])
        }
    }

    @Test func anAppOfAnExpiredCatalogMayBeTapped() throws {
        let desk = try Desk.serving(fetchedAt: .start - .days(30))
        #expect(try desk.ask(#"{"method":"tap","app":"bookary"}"#).result["app"] == "bookary")
    }

    @Test(arguments: [("x", 60_000), ("\u{301}", 30_000)])
    func aLongUnknownIDIsShortenedInTheError(piece: String, count: Int) throws {
        let id = "e" + String(repeating: piece, count: count)
        let reply = try Desk.serving().ask("{\"method\":\"tap\",\"app\":\"\(id)\"}")
        #expect(try reply.error["code"] == -32001)
        #expect(reply.bytes.count < 500)
    }
}
