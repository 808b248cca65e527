import PromoWire
import Testing

/// Reading the result of `list` with all translations.
struct ListResultTests {
    private static func result(_ freshness: String, _ tagline: String = #"{"en":"A","fr":"Á","ko":"나"}"#) throws
        -> ListResult
    {
        try ListResult(
            try json(
                #"{\#(freshness),"language":null,"apps":[{"id":"a","name":"A","appStoreID":"1","iconURL":"https://a/","#
                    + #""category":"독서","tagline":\#(tagline),"storeURL":"https://s/"}]}"#))
    }

    @Test func aReplyIsReadWhole() throws {
        let result = try Self.result(
            #""state":"fresh","source":"origin","generation":"5e3a","fetchedAt":"2026-11-21T01:09:00Z","#
                + #""expiresAt":"2026-11-22T01:09:00Z","canRetry":true,"retryAt":"2026-11-21T01:09:00Z","hostKnown":true"#
        )
        let time = Timestamp(seconds: 1_795_223_340)
        let expected = Freshness(
            state: .fresh, source: .origin, generation: "5e3a", fetchedAt: time, expiresAt: time + .seconds(86_400))
        #expect(result.freshness == expected && result.canRetry && result.retryAt == time && result.isHostKnown == true)
        let app = try #require(result.apps.first)
        #expect(app.id == "a" && app.name == "A" && app.appStoreID == "1" && app.iconURL == "https://a/")
        #expect(app.category == "독서" && app.tagline == [.en: "A", .ko: "나"] && app.storeURL == "https://s/")
    }

    @Test(arguments: Freshness.State.allCases, Freshness.Source.allCases)
    func everyStateOfEverySourceIsRead(state: Freshness.State, source: Freshness.Source) throws {
        let result = try Self.result(#""state":"\#(state.rawValue)","source":"\#(source.rawValue)","canRetry":false"#)
        #expect(result.freshness == Freshness(state: state, source: source, generation: nil) && !result.canRetry)
        #expect(result.retryAt == nil && result.isHostKnown == nil)
    }

    @Test func aTaglineInOneLanguageIsRefused() throws {
        let error = #expect(throws: MalformedResult.self) {
            try Self.result(#""state":"fresh","source":"origin","canRetry":false"#, #""t""#)
        }
        #expect(error?.member == "tagline")
    }
}
