import PromoCore
import PromoWire
import Testing

/// The replies to `tap` and `impression`, and the events that they cause.
struct TapReplyTests {
    private func tapped(_ message: String? = nil) -> JSON {
        var members: [String: JSON] = [
            "app": "bookary", "appStoreID": "6470000002", "presentation": message == nil ? "store" : "offline",
            "storeURL": "https://example.com/?app=bookary",
        ]
        members["message"] = message.map(JSON.string)
        return .object(members)
    }

    @Test func withANetworkItIsTheStore() throws {
        let reply = try Desk.serving().ask(#"{"method":"tap","app":"bookary","host":"finebill"}"#)
        #expect(reply.answer == .written([.tap(app: "bookary", host: "finebill")]))
        #expect(try reply.result == tapped())
    }

    @Test(arguments: Language.allCases)
    func withoutANetworkItIsTheMessageInTheLanguageAskedForOrTheDaemonsOwn(language: Language) throws {
        var desk = try Desk.serving()
        desk.isOnline = false
        let message = tapped(OfflineMessage.text(in: language))
        let line = "{\"method\":\"tap\",\"app\":\"bookary\",\"language\":\"\(language.rawValue)\"}"
        #expect(try desk.ask(line).result == message)
        desk.language = language
        #expect(try desk.ask(#"{"method":"tap","app":"bookary"}"#).result == message)
    }

    @Test(arguments: ["finebill", "littory", "newcomer", "stedio"])
    func noRuleKeepsAnAppFromBeingTappedNorDoesTheAge(host: String) throws {
        let line = "{\"method\":\"tap\",\"app\":\"stedio\",\"host\":\"\(host)\"}"
        #expect(try Desk.serving(fetchedAt: .start - .days(30)).ask(line).result["app"] == "stedio")
    }

    @Test func eachAppThatWasSeenCounts() throws {
        let reply = try Desk.serving().ask(
            #"{"method":"impression","apps":["bookary","stedio","bookary"],"host":"finebill"}"#)
        let events = ["bookary", "stedio", "bookary"].map { Event.impression(app: $0, host: "finebill") }
        #expect(reply.answer == .written(events))
        #expect(try reply.result == ["emitted": 3])
    }

    @Test(arguments: [
        #""tap","app":"nobody""#, #""icon","app":"nobody""#, #""impression","apps":["nobody","bookary"]"#,
    ])
    func anAppOutsideTheCatalogIsUnknownAndNothingCounts(call: String) throws {
        let reply = try Desk.serving().ask("{\"method\":\(call)}")
        #expect(reply.answer == .written())
        #expect(try reply.error["data"] == ["reason": "unknown-app"])
    }

    @Test(arguments: [#""tap","app":"bookary""#, #""impression","apps":["bookary"]"#, #""icon","app":"bookary""#])
    func whileEmptyThereIsNoCatalog(call: String) throws {
        for desk in [Desk.empty(), .loading()] {
            let reply = try desk.ask("{\"method\":\(call)}")
            #expect(reply.answer == .written())
            #expect(try reply.error["data"] == ["reason": "no-catalog"])
        }
    }
}
