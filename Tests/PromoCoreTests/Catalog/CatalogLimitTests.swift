import PromoCore
import PromoWire
import Testing

/// Findings and warnings are limited in number, size and work, and depth is limited too, because a catalog may be hostile.
struct CatalogLimitTests {
    @Test func thereAreAtMostAThousandFindingsAndWarnings() {
        let empty = #"{"apps":["# + Array(repeating: "{}", count: 100_000).joined(separator: ",") + "]}"
        let misspelt = catalog(Array(repeating: app("a", ["Name": "1"]), count: 3000))
        for found in [findings(empty), warnings(misspelt)] {
            #expect(found.count == 1000 && found.last?.message.contains("not listed") == true)
        }
        let exact = warnings(catalog(Array(repeating: app("a", ["Name": "1"]), count: 999)))
        #expect(exact.count == 999 && exact.allSatisfy { $0.pointer != "" })
    }

    @Test func theFailureOfACatalogIsShortAndPrintableWhateverTheCatalogHolds() throws {
        let written = String(repeating: "\\u001b[31m\\u0007\\n\u{202E}\u{200F}", count: 2000)
        let message = try #require(catalogError(Array(#"{"apps":[],"promoRules":{"\#(written)":0}}"#.utf8))).failure
            .message
        #expect(message.unicodeScalars.count <= Failure.maximumLength)
        #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && ![0x7F, 0x200F, 0x202E].contains($0.value) })
    }

    @Test(arguments: ["X", "\u{1F468}\u{200D}"])
    func longTextsAreShownShortened(part: String) {
        let text = "A" + String(repeating: part, count: 20_000)
        let changes = ["id", "appStoreID", "iconURL"].map { catalog([app("a", [$0: "\"\(text)\""])]) }
        let others = [
            catalog([app(text), app(text)]), catalog([app()], rules: "{\"\(text)\":[\"\(text)\",0]}"),
            catalog([app()], rules: "{\"\(text)\":0}"), "{\"apps\":[],\"apps\(text)\":1}",
            catalog([app("a", ["storeURLs": "{\"\(text)\":1}", "tagline": "{\"en\":\"x\",\"\(text)\":\"x\"}"])]),
        ]
        for text in changes + others {
            let found = findings(text) + warnings(text)
            #expect(!found.isEmpty && found.allSatisfy { $0.text.utf8.count <= 1024 }, "\(found)")
        }
    }

    /// Comparing every pair would take 10⁸ comparisons of about 60 letters each.
    @Test func manyLongIDsAndManyRulesAreNotComparedWithoutEnd() {
        let name = String(repeating: "a", count: 55)
        let apps = (10_000..<20_000).map { "{\"id\":\"\(name)\($0)\"}" }
        let rules = (20_000..<30_000).map { "\"\(name)\($0)\":[]" }
        let found = warnings(
            "{\"apps\":[\(apps.joined(separator: ","))],\"promoRules\":{\(rules.joined(separator: ","))}}")
        #expect(found.count < 1000)
    }

    /// A catalog with an unknown member that is nested to a depth.
    private static func nested(_ depth: Int) -> [UInt8] {
        let arrays = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
        return Array("{\"apps\":[\(app())],\"more\":\(arrays)}".utf8)
    }

    @Test(arguments: [65, 100_000]) func sixtyFourLevelsAreReadAndNoMore(depth: Int) {
        #expect(AppCatalog.maximumDepth == 64 && catalogError(Self.nested(64)) == nil)
        guard case .json(let error, _, _) = catalogError(Self.nested(depth)) else {
            Issue.record("It was read")
            return
        }
        #expect(error.problem == .tooDeep(limit: 64))
    }
}
