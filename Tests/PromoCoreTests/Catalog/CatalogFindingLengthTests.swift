import PromoCore
import PromoWire
import Testing

/// Findings show long texts shortened, because a catalog may be hostile and findings are logged.
struct CatalogFindingLengthTests {
    private static let parts = ["x", "\u{301}", "\u{1F468}\u{200D}"]

    private static func text(of part: String) -> String {
        "A" + String(repeating: part, count: 10_000)
    }

    @Test(arguments: parts)
    func aLongValueIsShownShortened(part: String) throws {
        for member in ["id", "appStoreID", "iconURL"] {
            let found = findings(catalog([app("a", [member: "\"\(Self.text(of: part))\""])]))
            let length = try #require(found.first).message.utf8.count
            #expect(length <= 1024)
        }
    }

    @Test func aLongIDThatIsTakenIsShownShortened() throws {
        let id = String(repeating: "x", count: 10_000)
        let length = try #require(findings(catalog([app(id), app(id)])).first).message.utf8.count
        #expect(length <= 1024)
    }

    @Test(arguments: parts)
    func aLongUnknownAppIsShownShortened(part: String) throws {
        let found = findings(catalog([app()], rules: "{\"x\":[\"\(Self.text(of: part))\"]}"))
        let length = try #require(found.first).message.utf8.count
        #expect(length <= 1024)
    }
}
