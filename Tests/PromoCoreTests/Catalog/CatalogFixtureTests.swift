import PromoCore
import PromoWire
import Testing

/// The corpus of the fuzzer: one catalog for each rule, with one thing wrong, and valid ones, each in its own way.
struct CatalogFixtureTests {
    /// The JSON Pointer of the expected finding in each invalid catalog; `json` if its bytes are not strict JSON.
    private static let expected: [(name: String, pointer: String)] = {
        String(decoding: Fixture.bytes("EXPECTED"), as: UTF8.self).split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return (fields[0], fields[1])
        }
    }()

    private static let valid = Fixture.catalogs.filter { name in !expected.contains { $0.name == name } }

    private static let plain = try? AppCatalog(Fixture.catalog("finepocket"))

    private static func valid(_ name: String) throws -> AppCatalog { try AppCatalog(Fixture.catalog(name)) }

    @Test func everyFixtureIsExpected() {
        #expect(Set(Self.expected.map(\.name)).isSubset(of: Fixture.catalogs))
        #expect(Self.expected.count >= 44)
        #expect(Self.valid.count >= 11)
    }

    @Test(arguments: expected)
    func aBrokenRuleIsReportedWhereItIs(name: String, pointer: String) {
        switch catalogError(Fixture.catalog(name)) {
        case .json, .markup: #expect(pointer == "json")
        case .schema(let findings): #expect(findings.map(\.pointer).contains(pointer))
        case nil: Issue.record("it is valid")
        }
    }

    /// Most fixtures have no page for Linux.
    @Test(arguments: valid)
    func aCatalogThatBreaksNoRuleIsValid(name: String) throws {
        let text = try CatalogText(Fixture.catalog(name))
        #expect(throws: Never.self) { try text.catalog() }
        let known = ["byte-order-mark": "", "unknown-members": "/apps/0/tagline/fr", "id-hyphens": "/apps/3/id"]
        #expect(text.warnings.map(\.pointer) == [known[name]].compactMap(\.self))
        #expect(text.notes.map(\.pointer) == (name.hasSuffix("-with-page") ? [] : ["/apps/0/storeURLs"]))
    }

    @Test func everyMemberOfAnAppIsRead() throws {
        let catalog = try #require(Self.plain)
        #expect(catalog.apps.map(\.id) == ["finebill", "bookary", "finepomo", "stedio", "littory"])
        let app = try #require(catalog.apps.first)
        #expect(app.name == "FineBill" && app.appStoreID == "6470000001")
        #expect(app.iconURL == "https://raw.githubusercontent.com/finepocket/catalog/main/icons/finebill.png")
        #expect(app.category == LocalizedText(en: "\u{AE08}\u{C735}"))
        #expect(app.tagline.en == "Every bill, paid on time")
        #expect(app.tagline.ko?.text.unicodeScalars.first == "\u{BAA8}")
        #expect(app.tagline.ja?.text.unicodeScalars.first == "\u{3059}")
        #expect(app.storeURL == "https://apps.apple.com/app/id6470000001")
        #expect(catalog.promoRules == ["finebill": ["finepomo", "bookary"], "littory": []])
    }

    @Test func whatDiffersFromThePlainCatalogIsRead() throws {
        let plain = try #require(Self.plain)
        for name in ["byte-order-mark", "unknown-members"] { #expect(try Self.valid(name) == plain) }
        for name in ["rules-missing", "rules-null", "rules-empty"] {
            let catalog = try Self.valid(name)
            #expect(catalog.promoRules.isEmpty && catalog.apps == plain.apps)
        }
        for name in ["translation-null", "translation-empty"] {
            let tagline = try #require(try Self.valid(name).apps.first).tagline
            #expect(tagline.ko == nil && tagline.ja == plain.apps.first?.tagline.ja)
        }
        #expect(try Self.valid("one-app").apps.count == 1)
        #expect(try Self.valid("host-in-own-rule").promoRules.contains { $1.contains($0) })
        let ids = Set(plain.apps.map(\.id))
        #expect(try Self.valid("rule-for-host-outside").promoRules.keys.contains { !ids.contains($0) })
    }

    @Test(arguments: ["-", "--", "0", "a-0", "007", String(repeating: "a", count: 255)])
    func lowercaseLettersDigitsAndHyphensMakeAnID(id: String) throws {
        let text = catalog([app(id)], rules: "{\"host\":[\"\(id)\"]}")
        #expect(try AppCatalog(Array(text.utf8)).apps.map(\.id) == [id])
    }

    @Test func escapesAndTheOrderOfMembersChangeNothing() throws {
        let text =
            "{\"promoRules\":{\"a\":[\"b\",\"b\"]},\"apps\":[\(app("a", ["name": #""\u0042o\ud83d\ude00""#])),\(app("b"))]}"
        let catalog = try AppCatalog(Array(text.utf8))
        #expect(catalog.promoRules == ["a": ["b", "b"]] && catalog.apps.first?.name == "Bo\u{1F600}")
    }

    @Test func theSampleHasFiveAppsAndEveryKindOfRule() throws {
        let sample = try AppCatalog(SampleCatalog.bytes)
        #expect(sample.apps.map(\.id) == ["finebill", "bookary", "finepomo", "stedio", "littory"])
        #expect(sample.promoRules.values.contains { $0.isEmpty } && sample.promoRules.values.contains { !$0.isEmpty })
        #expect(sample.promoRules.count < 5)
    }
}
