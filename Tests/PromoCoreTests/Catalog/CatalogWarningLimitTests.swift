import PromoCore
import PromoWire
import Testing

/// Warnings are limited in number, size and work, because a catalog may be hostile.
struct CatalogWarningLimitTests {
    @Test func thereAreAtMostAThousandWarnings() {
        let found = warnings(catalog(Array(repeating: app("-x"), count: 3000)))
        #expect(found.count == 1000)
        #expect(found.last?.message.contains("not listed") == true)
    }

    @Test func aThousandFitExactly() {
        let found = warnings(catalog(Array(repeating: app("-x"), count: 999)))
        #expect(found.count == 999)
        #expect(found.allSatisfy { $0.pointer != "" })
    }

    @Test(arguments: ["X", "\u{301}", "\u{1F468}\u{200D}"])
    func aLongNameIsShownShortened(part: String) {
        let name = String(repeating: part, count: 20_000)
        for text in [catalog([app()], rules: "{\"\(name)\":[]}"), "{\"apps\":[],\"apps\(name)\":1}"] {
            #expect(warnings(text).allSatisfy { $0.text.utf8.count < 1024 })
        }
        #expect(warnings(catalog([app()], rules: "{\"\(name)\":[]}")).count == 1)
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
}
