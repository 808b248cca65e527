@testable import PromoCore
import PromoWire
import Testing

/// Findings and warnings are limited in number, size and work, and depth is limited too, because a catalog may be hostile.
struct CatalogLimitTests {
    @Test func findingsAndWarningsAreLimitedInNumber() {
        let limit = CatalogFindings.maximumCount
        let empty = #"{"apps":["# + Array(repeating: "{}", count: 100_000).joined(separator: ",") + "]}"
        func misspelt(_ count: Int) -> String { catalog(Array(repeating: app("a", ["Name": "1"]), count: count)) }
        for found in [findings(empty), warnings(misspelt(limit + 1))] {
            #expect(found.count == limit)
            #expect(found.last?.message.contains("not listed") == true)
        }
        #expect(warnings(misspelt(limit - 1)).map(\.pointer) == (0..<limit - 1).map { "/apps/\($0)/Name" })
    }

    @Test func theFailureOfACatalogIsShortAndPrintableWhateverTheCatalogHolds() throws {
        let written = String(repeating: "\\u001b[31m\\u0007\\n\u{202E}\u{200F}", count: 2000)
        let message = try #require(catalogError(Array(#"{"apps":[],"promoRules":{"\#(written)":0}}"#.utf8))).failure
            .message
        #expect(message.unicodeScalars.count <= Failure.maximumLength)
        #expect(message == message.printable)
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
            #expect(!found.isEmpty)
            for finding in found { #expect(finding.text.utf8.count <= 1024) }
        }
    }

    /// Comparing every pair would take 10⁸ comparisons of about 60 letters each.
    @Test func manyLongIDsAndManyRulesAreNotComparedWithoutEnd() {
        let name = String(repeating: "a", count: 55)
        let apps = (10_000..<20_000).map { "{\"id\":\"\(name)\($0)\"}" }
        let rules = (20_000..<30_000).map { "\"\(name)\($0)\":[]" }
        let found = warnings(
            "{\"apps\":[\(apps.joined(separator: ","))],\"promoRules\":{\(rules.joined(separator: ","))}}")
        #expect(found.count < CatalogFindings.maximumCount)
    }

    /// A catalog with an unknown member that is nested to a depth.
    private static func nested(_ depth: Int) -> [UInt8] {
        let arrays = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
        return Array("{\"apps\":[\(app())],\"more\":\(arrays)}".utf8)
    }

    @Test(arguments: [AppCatalog.maximumDepth + 1, 100_000]) func noCatalogIsReadThatIsNestedDeeper(depth: Int) {
        #expect(catalogError(Self.nested(AppCatalog.maximumDepth)) == nil)
        guard case .json(let error, _, _) = catalogError(Self.nested(depth)) else {
            Issue.record("It was read")
            return
        }
        #expect(error.problem == .tooDeep(limit: AppCatalog.maximumDepth))
    }
}
