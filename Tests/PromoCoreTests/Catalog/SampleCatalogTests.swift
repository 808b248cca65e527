import PromoCore
import Testing

/// The catalog that ships with promod.
struct SampleCatalogTests {
    @Test func theSampleBreaksNoRuleAndHasNoWarning() throws {
        #expect(catalogError(SampleCatalog.bytes) == nil)
        #expect(try CatalogText(SampleCatalog.bytes).warnings == [])
    }

    @Test func theSampleHasFiveApps() throws {
        let ids = ["finebill", "bookary", "finepomo", "stedio", "littory"]
        #expect(try AppCatalog(SampleCatalog.bytes).apps.map(\.id) == ids)
    }

    @Test func theSampleShowsEveryKindOfRule() throws {
        let rules = try AppCatalog(SampleCatalog.bytes).promoRules
        #expect(rules.values.contains { $0.isEmpty })
        #expect(rules.values.contains { !$0.isEmpty })
        #expect(rules.count < 5)
    }
}
