import PromoCore
import PromoWire
import Testing

/// Catalogs that break no rule, each in its own way.
struct ValidCatalogTests {
    private static let plain = try? AppCatalog(Fixture.catalog("finepocket"))

    private static func fixture(_ name: String) throws -> AppCatalog {
        try AppCatalog(Fixture.catalog("valid/\(name)"))
    }

    @Test func thereAreFixtures() {
        #expect(Fixture.catalogs(in: "valid").count >= 11)
    }

    @Test(arguments: Fixture.catalogs(in: "valid"))
    func aCatalogThatBreaksNoRuleIsValid(name: String) {
        #expect(catalogError(Fixture.catalog("valid/\(name)")) == nil)
    }

    @Test(arguments: ["byte-order-mark", "unknown-members"])
    func aByteOrderMarkAndUnknownMembersChangeNothing(name: String) throws {
        let plain = try #require(Self.plain)
        #expect(try Self.fixture(name) == plain)
    }

    @Test(arguments: ["rules-missing", "rules-null", "rules-empty"])
    func withoutRulesEverythingElseIsTheSame(name: String) throws {
        let catalog = try Self.fixture(name)
        #expect(catalog.promoRules.isEmpty)
        #expect(catalog.apps == Self.plain?.apps)
    }

    @Test(arguments: ["translation-null", "translation-empty"])
    func aTranslationThatIsNullOrEmptyIsAbsent(name: String) throws {
        let app = try #require(try Self.fixture(name).apps.first)
        #expect(app.tagline.ko == nil)
        #expect(app.tagline.ja == Self.plain?.apps.first?.tagline.ja)
    }

    @Test func anIDMayHaveHyphens() throws {
        #expect(try Self.fixture("id-hyphens").apps.contains { $0.id.contains("-") })
    }

    @Test(arguments: ["-", "--", "0", "a-0", "007", String(repeating: "a", count: 255)])
    func lowercaseLettersDigitsAndHyphensMakeAnID(id: String) throws {
        let text = catalog([app(id)], rules: "{\"host\":[\"\(id)\"]}")
        #expect(try AppCatalog(Array(text.utf8)).apps.map(\.id) == [id])
    }

    @Test func oneAppIsEnough() throws {
        #expect(try Self.fixture("one-app").apps.count == 1)
    }

    @Test func aHostMayStandInItsOwnRule() throws {
        let catalog = try Self.fixture("host-in-own-rule")
        #expect(catalog.promoRules.contains { host, rule in rule.contains(host) })
    }

    @Test func aRuleMayBeForAHostOutsideTheCatalog() throws {
        let catalog = try Self.fixture("rule-for-host-outside")
        let ids = Set(catalog.apps.map(\.id))
        #expect(catalog.promoRules.keys.contains { !ids.contains($0) })
    }

    @Test func aRuleMayRepeatAnApp() throws {
        let text = catalog([app("a"), app("b")], rules: #"{"a":["b","b"]}"#)
        #expect(try AppCatalog(Array(text.utf8)).promoRules == ["a": ["b", "b"]])
    }

    @Test func theMembersMayComeInAnyOrder() throws {
        let text = "{\"promoRules\":{\"a\":[\"b\"]},\"apps\":[\(app("a")),\(app("b"))]}"
        #expect(try AppCatalog(Array(text.utf8)).promoRules == ["a": ["b"]])
    }
}
