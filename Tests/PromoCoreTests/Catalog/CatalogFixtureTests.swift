@testable import PromoCore
import PromoWire
import Testing

/// The corpus of the fuzzer: one catalog for each rule, with one thing wrong, and valid ones, each in its own way.
struct CatalogFixtureTests {
    /// The JSON Pointer of the expected finding in each invalid catalog; `json` if its bytes are not strict JSON.
    private static let expected: [String: String] = {
        let bytes = (try? Fixture.file("Tests/PromoCoreTests/Fixtures/EXPECTED")) ?? []
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let fields = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        return Dictionary(uniqueKeysWithValues: fields.map { ($0[0], $0[1]) })
    }()

    private static let valid = Fixture.catalogs.filter { expected[$0] == nil }

    private static func catalog(_ name: String) throws -> AppCatalog { try AppCatalog(Fixture.catalog(name)) }

    @Test func everyFixtureIsExpected() {
        #expect(Set(Self.expected.keys).isSubset(of: Fixture.catalogs))
        #expect(Self.expected.count >= 44)
        #expect(Self.valid.count >= 11)
    }

    @Test(arguments: expected.sorted { $0.key < $1.key })
    func aBrokenRuleIsReportedWhereItIs(name: String, pointer: String) throws {
        switch catalogError(try Fixture.catalog(name)) {
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
        let catalog = try Self.catalog("finepocket")
        #expect(catalog.apps.map(\.id) == ["finebill", "bookary", "finepomo", "stedio", "littory"])
        let finebill = PromoApp(
            id: "finebill", name: "FineBill", appStoreID: "6470000001",
            iconURL: "https://raw.githubusercontent.com/finepocket/catalog/main/icons/finebill.png",
            category: LocalizedText(en: "금융"),
            tagline: LocalizedText(en: "Every bill, paid on time", ko: "모든 청구서를 제때에", ja: "すべての請求を期日どおりに"),
            storeURL: "https://apps.apple.com/app/id6470000001")
        #expect(catalog.apps.first == finebill)
        #expect(catalog.promoRules == ["finebill": ["finepomo", "bookary"], "littory": []])
    }

    @Test func whatDiffersFromThePlainCatalogIsRead() throws {
        let plain = try Self.catalog("finepocket")
        for name in ["byte-order-mark", "unknown-members"] { #expect(try Self.catalog(name) == plain) }
        for name in ["rules-missing", "rules-null", "rules-empty"] {
            #expect(try Self.catalog(name).promoRules == [:])
            #expect(try Self.catalog(name).apps == plain.apps)
        }
        for name in ["translation-null", "translation-empty"] {
            let (tagline, whole) = (try Self.catalog(name).apps.first?.tagline, plain.apps.first?.tagline)
            #expect(tagline?.texts == whole?.texts.filter { $0.key != .ko })
        }
    }
}
