import CrossPromoKit
import Foundation
import Testing

/// Apps are encoded as in the protocol.
struct PromoAppCodingTests {
    private func decode(_ json: String) throws -> PromoApp {
        try JSONDecoder().decode(PromoApp.self, from: Data(json.utf8))
    }

    @Test(arguments: [
        (#""Books""#, LocalizedText(en: "Books")), (#"{"en":"Books","ko":"독서"}"#, LocalizedText(en: "Books", ko: "독서")),
    ])
    func anAppOfACatalogIsDecoded(category: String, text: LocalizedText) throws {
        let json = """
            {"id":"bookary","name":"Bookary","appStoreID":"6470000002","iconURL":"https://a.example/icon.png",\
            "category":\(category),"tagline":{"en":"Every book","ko":null,"fr":"Livres"}}
            """
        #expect(
            try decode(json)
                == PromoApp(
                    id: "bookary", name: "Bookary", appStoreID: "6470000002",
                    iconURL: try url("https://a.example/icon.png"), category: text,
                    tagline: LocalizedText(en: "Every book")))
        #expect(try decode(json).storeURL.absoluteString == "https://apps.apple.com/app/id6470000002")
        #expect(try decode(String(decoding: JSONEncoder().encode(decode(json)), as: UTF8.self)) == decode(json))
    }

    @Test func anAppIsEncodedAndDecodedAsAListHasIt() throws {
        let app = try PromoApp.sample(placeholder: IconPlaceholder(initials: "Bo", red: 0, green: 95, blue: 135))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(app), as: UTF8.self)
        #expect(
            json
                == #"{"appStoreID":"1","category":"Books","iconURL":"https://a.example/icon.png","id":"bookary","#
                + ##""name":"bookary","placeholder":{"color":"#005f87","initials":"Bo"},"##
                + #""storeURL":"https://apps.apple.com/app/id1","tagline":{"en":"Every book you read"}}"#
        )
        #expect(try decode(json) == app)
    }

    /// An app that is on Linux alone has no number, in a list and in a catalog, and the member may be missing there.
    @Test(arguments: [
        #""appStoreID":null,"storeURL":"https://s.example/""#,
        #""appStoreID":null,"storeURLs":{"linux":"https://s.example/"}"#,
        #""storeURLs":{"linux":"https://s.example/"}"#,
    ])
    func anAppWithoutANumberHasAnEmptyOne(members: String) throws {
        let json = """
            {"id":"a","name":"A","iconURL":"https://a.example/i","category":"C","tagline":{"en":"T"},\(members)}
            """
        let app = try decode(json)
        #expect(app.appStoreID == "")
        #expect(app.storeURL.absoluteString == "https://s.example/")
        let encoded = String(decoding: try JSONEncoder().encode(app), as: UTF8.self)
        #expect(encoded.contains(#""appStoreID":null"#))
        #expect(try decode(encoded) == app)
    }

    @Test func anAppWithNeitherANumberNorAPageIsAnError() {
        let json = #"{"id":"a","name":"A","iconURL":"https://a.example/i","category":"C","tagline":{"en":"T"}}"#
        #expect(throws: DecodingError.self) { try decode(json) }
    }

    @Test(arguments: ["", "005f87", "#05f", "#005f8", "#005F87", "#+05f87", "#005f8g", "#005f870"])
    func aColourOfAnotherFormIsAnError(color: String) {
        #expect(throws: DecodingError.self) {
            try decode(Replies.app("bookary").replacing("#005f87", with: color))
        }
    }

    @Test(
        arguments: ["https://a.example/bookary", "https://apps.apple.com/app/id-bookary"], ["", "http://a.example"])
    func anAddressThatIsNotHTTPSIsAnError(right: String, wrong: String) {
        #expect(throws: DecodingError.self) { try decode(Replies.app("bookary").replacing(right, with: wrong)) }
    }
}
