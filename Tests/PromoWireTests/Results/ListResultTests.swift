import PromoWire
import Testing

/// Reading the result of `list` with all translations.
struct ListResultTests {
    private static let reply = """
        {"jsonrpc":"2.0","id":1,"result":{"state":"loaded","source":"origin","generation":"5e3a000000000000",
        "fetchedAt":"2026-11-21T01:09:00Z","originAt":"2026-11-21T01:09:00Z","expiresAt":"2026-11-22T01:09:00Z","canRetry":false,"retryAt":null,
        "hostKnown":true,"language":null,"apps":[
        {"id":"bookary","name":"Bookary","appStoreID":"6470000002","iconURL":"https://a.example/b.png",
        "category":"독서","tagline":{"en":"A \\"diary\\"","ko":"다이어리"},
        "storeURL":"https://apps.apple.com/app/id6470000002"},
        {"id":"stedio","name":"Stedio","appStoreID":"6470000004","iconURL":"https://a.example/s.png",
        "category":"학습","tagline":{"en":"Study","fr":"Études"},"storeURL":"https://apps.apple.com/app/id6470000004"}]}}
        """

    private static let nothing = """
        "state":"empty","source":"none","generation":null,"fetchedAt":null,"expiresAt":null,"hostKnown":false,\
        "language":null,"apps":[]
        """

    private func result(_ text: String) throws -> ListResult {
        try ListResult(try json(text))
    }

    @Test func aReplyIsReadWhole() throws {
        let result = try ListResult(try #require(try json(Self.reply)["result"]))
        let time = Timestamp(seconds: 1_795_223_340)
        #expect(
            result.freshness
                == Freshness(
                    state: .loaded, source: .origin, generation: "5e3a000000000000", fetchedAt: time,
                    expiresAt: time + .seconds(86_400)))
        #expect(!result.canRetry)
        #expect(result.retryAt == nil)
        #expect(result.isHostKnown == true)
        #expect(result.apps.map(\.id) == ["bookary", "stedio"])
        let app = try #require(result.apps.first)
        #expect(app.name == "Bookary")
        #expect(app.appStoreID == "6470000002")
        #expect(app.iconURL == "https://a.example/b.png")
        #expect(app.category == "독서")
        #expect(app.storeURL == "https://apps.apple.com/app/id6470000002")
    }

    @Test func aTaglineHasTheLanguagesThatAreThere() throws {
        let apps = try ListResult(try #require(try json(Self.reply)["result"])).apps
        #expect(apps.map(\.tagline) == [[.en: #"A "diary""#, .ko: "다이어리"], [.en: "Study"]])
    }

    @Test func nothingToServeIsAResultToo() throws {
        let result = try result(#"{"canRetry":true,"retryAt":null,\#(Self.nothing)}"#)
        #expect(result.freshness == Freshness(state: .empty, source: .none, generation: nil))
        #expect(result.canRetry)
        #expect(result.isHostKnown == false)
        #expect(result.apps == [])
    }

    @Test func theTimeOfTheNextAttemptIsRead() throws {
        let result = try result(#"{"canRetry":false,"retryAt":"2027-01-15T08:00:00Z",\#(Self.nothing)}"#)
        #expect(!result.canRetry)
        #expect(result.retryAt == Timestamp(seconds: 1_800_000_000))
    }

    @Test func aTaglineInOneLanguageIsRefused() throws {
        let app = #""id":"a","name":"A","appStoreID":"1","iconURL":"i","category":"c","storeURL":"s","tagline":"t""#
        let list = Self.nothing.replacing("[]", with: "[{\(app)}]")
        let text = #"{"canRetry":false,"retryAt":null,\#(list)}"#
        #expect(try malformedMember { try result(text) } == "tagline")
    }
}
