import PromoCore
import PromoWire
import Testing

@Suite struct TaglineTests {
    private let catalog: PreparedCatalog

    init() throws {
        func app(_ id: String, _ tagline: String) -> String {
            """
            {"id":"\(id)","name":"N","appStoreID":"12","iconURL":"https://a.example/i","category":"C","tagline":\(tagline)}
            """
        }
        let apps = [
            app("full", #"{"en":"E","ko":"K","ja":"J"}"#), app("absent", #"{"en":"E"}"#),
            app("null", #"{"en":"E","ko":null,"ja":null}"#), app("empty", #"{"en":"E","ko":"","ja":""}"#),
            app("korean", #"{"en":"E","ko":"K","fr":"F"}"#),
        ]
        catalog = try PreparedCatalog(text: "{\"apps\":[\(apps.joined(separator: ","))]}")
    }

    private func taglines(_ language: TaglineLanguage) throws -> [JSON?] {
        try catalog.shown(to: nil, in: language).elements.map { $0["tagline"] }
    }

    @Test func eachLanguageFallsBackToEnglish() throws {
        #expect(try taglines(.one(.en)) == ["E", "E", "E", "E", "E"])
        #expect(try taglines(.one(.ko)) == ["K", "E", "E", "E", "K"])
        #expect(try taglines(.one(.ja)) == ["J", "E", "E", "E", "E"])
    }

    @Test func theStarShowsTheTranslationsThatThereAre() throws {
        #expect(
            try taglines(.all) == [
                ["en": "E", "ko": "K", "ja": "J"], ["en": "E"], ["en": "E"], ["en": "E"], ["en": "E", "ko": "K"],
            ])
    }

    @Test func anAppIsWrittenAsTheProtocolSays() throws {
        let bookary = try PreparedCatalog.sample().shown(to: "finebill", in: .one(.ko), limit: 1)
        #expect(
            bookary == [
                [
                    "id": "bookary", "name": "Bookary", "appStoreID": "6470000002",
                    "iconURL": "https://example.com/?icon=bookary",
                    "category": "Reading", "tagline": "읽은 책을 위한 다이어리",
                    "storeURL": "https://example.com/?app=bookary",
                ]
            ])
    }
}
