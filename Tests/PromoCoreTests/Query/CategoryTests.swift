import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// Categories that a catalog names by language, or for everybody.
struct CategoryTests {
    private static let texts = #"{"en":"Books","ko":"독서","ja":""}"#

    private func prepared(_ categories: [String]) throws -> PreparedCatalog {
        let apps = categories.enumerated().map { app("app-\($0.offset)", ["category": $0.element]) }
        return PreparedCatalog(try AppCatalog(Array(catalog(apps).utf8)), generation: "g")
    }

    private func apps(
        _ catalog: PreparedCatalog, _ tag: String, iconPath: ((String) -> String?)? = nil
    ) throws -> [JSONValue] {
        let rows = catalog.list(in: TaglineLanguage(OutsideText(tag)), iconPath: iconPath)
        return try Array(JSONDocument(rows.text([0..<catalog.count]), maximumDepth: 4).root.elements)
    }

    private func categories(
        _ catalog: PreparedCatalog, _ tag: String, iconPath: ((String) -> String?)? = nil
    ) throws -> [String] {
        try apps(catalog, tag, iconPath: iconPath).map { try $0.read("category") }
    }

    @Test func aListWithAllLanguagesHasTheTranslationsBesideTheEnglishText() throws {
        let catalog = try prepared([Self.texts, #""금융""#])
        for path in [nil, { _ in "/icon" }] as [((String) -> String?)?] {
            let translations = try apps(catalog, "*", iconPath: path).map { app in
                try app["categories"].map { [try $0.read("ko", as: String?.self), try $0.read("ja")] }
            }
            #expect(translations == [["독서", nil], nil])
            #expect(try apps(catalog, "ko", iconPath: path).allSatisfy { $0["categories"] == nil })
        }
    }

    @Test(arguments: [("ko-KR", "독서"), ("ja", "Books"), ("*", "Books")])
    func aCategoryIsInTheLanguageOfTheListElseInEnglish(tag: String, text: String) throws {
        let catalog = try prepared([Self.texts, #""금융""#])
        #expect(try categories(catalog, tag) == [text, "금융"])
        #expect(try categories(catalog, tag, iconPath: { _ in "/icon" }) == [text, "금융"])
    }
}
