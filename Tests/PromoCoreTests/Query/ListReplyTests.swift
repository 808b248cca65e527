import PromoCore
import PromoWire
import Testing

/// The parameters of `list`.
@Suite struct ListReplyTests {
    private func list(_ parameters: String, _ desk: Desk? = nil) throws -> JSON {
        try (desk ?? .serving()).ask("{\"method\":\"list\",\"params\":{\(parameters)}}").result
    }

    @Test(arguments: [
        ("", ["finebill", "bookary", "finepomo", "stedio", "littory"]),
        (#""host":"stedio""#, ["finebill", "bookary", "finepomo", "littory"]),
        (#""host":"finebill""#, ["bookary", "finepomo"]),
        (#""host":"littory""#, []),
        (#""host":"newcomer""#, ["finebill", "bookary", "finepomo", "stedio", "littory"]),
        (#""host":"stedio","limit":2"#, ["finebill", "bookary"]),
        (#""host":"finebill","limit":1"#, ["bookary"]),
        (#""limit":9007199254740993"#, ["finebill", "bookary", "finepomo", "stedio", "littory"]),
    ])
    func hostAndLimitSelect(parameters: String, ids: [String]) throws {
        #expect(try list(parameters)["apps"]?.ids == ids)
    }

    @Test(arguments: ["a", "\\\"", "é", "\\u00e9"])
    func aReplyIsAtMostThreeTimesAsLongAsTheCatalog(character: String) throws {
        let name = String(repeating: character, count: 1000)
        let text = """
            {"apps":[{"id":"a","name":"\(name)","appStoreID":"1","iconURL":"https://a","category":"c","tagline":{"en":"d"}}]}
            """
        let desk = try Desk.serving(PreparedCatalog(text: text))
        for language in ["en", "*"] {
            let reply = try desk.ask("{\"method\":\"list\",\"language\":\"\(language)\"}").bytes
            #expect(reply.count <= 3 * text.utf8.count)
        }
    }

    @Test(arguments: [("finebill", true), ("littory", true), ("stedio", true), ("newcomer", false)])
    func hostKnownSaysWhetherTheCatalogHasTheHost(host: String, isKnown: Bool) throws {
        #expect(try list("\"host\":\"\(host)\"")["hostKnown"] == .boolean(isKnown))
    }

    @Test(arguments: [("ko-KR", "ko"), ("ja_JP.UTF-8", "ja"), ("en", "en"), ("fr", "en")])
    func aTagOrLocaleIsLookedFor(tag: String, language: String) throws {
        let result = try list("\"language\":\"\(tag)\"")
        #expect(result["language"] == .string(language))
        let tagline = ["en": "A diary for the books you read", "ko": "읽은 책을 위한 다이어리", "ja": "読んだ本の日記"]
        #expect(result["apps"]?.elements[1]["tagline"] == tagline[language].map(JSON.string))
    }

    @Test(arguments: Language.allCases)
    func withoutALanguageItIsTheDaemonsOwn(language: Language) throws {
        var desk = try Desk.serving()
        desk.language = language
        #expect(try list("", desk)["language"] == .string(language.rawValue))
        #expect(try list(#""language":"en""#, desk)["language"] == "en")
    }

    @Test func theStarShowsAllTranslations() throws {
        let result = try list(#""language":"*""#)
        #expect(
            result["apps"]?.elements.last?["tagline"] == ["en": "Little stories, kept", "ja": "小さな物語をとっておく"])
    }

    @Test(arguments: [Duration.hours(1), .days(2)])
    func waitingWithACatalogIsAnsweredAtOnce(age: Duration) throws {
        var desk = try Desk.serving(fetchedAt: .start - age)
        desk.snapshot.first.schedule = RefreshSchedule(
            policy: RefreshPolicy(), hasOrigin: false, held: .fetched(.start - age), now: .start)
        #expect(try !desk.ask(#"{"method":"list","wait":true}"#).bytes.isEmpty)
        #expect(try list(#""wait":true"#, desk)["apps"]?.ids.count == 5)
    }

    @Test func onlyWaitingForTheFirstFetchIsDeferred() throws {
        let wait = #"{"method":"list","wait":true}"#
        let reply = try Desk.loading().ask(wait)
        #expect(reply.answer == .later(.fetch))
        #expect(reply.bytes == [])
        #expect(try Desk.loading().ask(#"{"method":"list","wait":false}"#).answer == .written())
        #expect(try Desk.empty().ask(wait).result["state"] == "empty")
    }
}
