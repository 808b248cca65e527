import PromoCore
import PromoWire
import Testing

/// A probable mistake that breaks no rule causes a warning, with what was probably meant.
struct CatalogWarningTests {
    private static func pointers(_ text: String) -> [String] {
        warnings(text).map(\.pointer)
    }

    @Test(arguments: Fixture.catalogs(in: "valid").filter { !["byte-order-mark", "id-hyphens"].contains($0) })
    func aCatalogWithoutMistakesHasNoWarning(name: String) throws {
        #expect(try CatalogText(Fixture.catalog("valid/\(name)")).warnings == [])
    }

    // MARK: Rules

    @Test(arguments: ["bookray", "bokary", "bookaryy", "Bookary", "BOOKARY", "bookery", "book-ary"])
    func aRuleForAHostThatIsNearAnIDCausesAWarning(host: String) throws {
        let text = catalog([app("finebill"), app("bookary")], rules: "{\"\(host)\":[]}")
        #expect(findings(text) == [])
        let warning = try #require(warnings(text).first)
        #expect(warning.pointer == "/promoRules/\(host)")
        #expect(warning.message.contains("\"\(host)\""))
        #expect(warning.message.contains("Did you mean \"bookary\"?"))
    }

    @Test(arguments: ["bookary", "fittoday", "library"])
    func aRuleForAnAppOrForAnotherHostCausesNone(host: String) {
        #expect(Self.pointers(catalog([app("bookary")], rules: "{\"\(host)\":[]}")) == [])
    }

    @Test func shortIDsAreNearOnlyToThemselves() {
        #expect(Self.pointers(catalog([app("a1"), app("abc")], rules: #"{"a2":[],"xyc":[]}"#)) == [])
        #expect(Self.pointers(catalog([app("abc")], rules: #"{"abd":[]}"#)) == ["/promoRules/abd"])
    }

    @Test(arguments: ["", "Fit Today", "fit_today", "한글", "-\u{301}"])
    func aRuleForAMalformedHostCausesAWarning(host: String) throws {
        let warning = try #require(warnings(catalog([app()], rules: "{\"\(host)\":[]}")).first)
        #expect(warning.pointer == "/promoRules/\(host)")
        #expect(warning.message.contains("never applies"))
    }

    @Test func aRuleThatNamesANearMissIsAFindingThatSaysWhatWasMeant() throws {
        let finding = try #require(findings(catalog([app("bookary")], rules: #"{"x":["bookray"]}"#)).first)
        #expect(finding.message.contains("Did you mean \"bookary\"?"))
        let other = try #require(findings(catalog([app("bookary")], rules: #"{"x":["ghost"]}"#)).first)
        #expect(!other.message.contains("Did you mean"))
    }

    // MARK: Members

    @Test(arguments: [
        ("PromoRules", "promoRules"), ("promo_rules", "promoRules"), ("promorule", "promoRules"), ("app", "apps"),
        ("Apps", "apps"),
    ])
    func aMisspeltMemberOfTheCatalogCausesAWarning(written: String, meant: String) throws {
        let warning = try #require(warnings("{\"apps\":[\(app())],\"\(written)\":null}").first)
        #expect(warning.pointer == "/\(written)")
        #expect(warning.message.contains("\"\(written)\""))
        #expect(warning.message.contains("Did you mean \"\(meant)\"?"))
    }

    @Test(arguments: [
        ("ID", "id"), ("Name", "name"), ("appStoreId", "appStoreID"), ("app_store_id", "appStoreID"),
        ("iconUrl", "iconURL"), ("icon-url", "iconURL"), ("catagory", "category"), ("tagLine", "tagline"),
    ])
    func aMisspeltMemberOfAnAppCausesAWarning(written: String, meant: String) throws {
        let text = String(app().dropLast()) + ",\"\(written)\":\"x\"}"
        let warning = try #require(warnings(catalog([app("first"), text])).first)
        #expect(warning.pointer == "/apps/1/\(written)")
        #expect(warning.message.contains("Did you mean \"\(meant)\"?"))
    }

    @Test(arguments: [
        ("kr", "ko"), ("KO", "ko"), ("ko-KR", "ko"), ("kor", "ko"), ("jp", "ja"), ("ja_JP", "ja"), ("jpn", "ja"),
        ("EN", "en"), ("en-GB", "en"), ("eng", "en"), ("us", "en"),
    ])
    func aTaglineInAnotherSpellingOfALanguageCausesAWarning(written: String, meant: String) throws {
        let text = catalog([app("a", ["tagline": "{\"en\":\"x\",\"\(written)\":\"y\"}"])])
        let warning = try #require(warnings(text).first)
        #expect(warning.pointer == "/apps/0/tagline/\(written)")
        #expect(warning.message.contains("Did you mean \"\(meant)\"?"))
    }

    @Test(arguments: ["fr", "es", "kn", "no", "fa", "zh-Hant", "comment"])
    func aTaglineInAnotherLanguageCausesNone(language: String) {
        #expect(Self.pointers(catalog([app("a", ["tagline": "{\"en\":\"x\",\"\(language)\":\"y\"}"])])) == [])
    }

    @Test(arguments: ["version", "$schema", "rating", "icon", "url", "description", "is"])
    func otherMembersCauseNone(name: String) {
        let app = String(app().dropLast()) + ",\"\(name)\":1}"
        #expect(Self.pointers("{\"apps\":[\(app)],\"\(name)\":1}") == [])
    }

    // MARK: Values

    @Test(arguments: [" ", "\\t\\n", "\u{3000}", "\u{200B}", "\u{3164}", "\\u0000", "\u{A0}\u{FEFF}"])
    func aBlankTextCausesAWarning(blank: String) {
        let text = catalog([
            app(
                "a",
                [
                    "name": "\"\(blank)\"", "category": "\"\(blank)\"",
                    "tagline": "{\"en\":\"\(blank)\",\"ko\":\"\(blank)\"}",
                ])
        ])
        #expect(findings(text) == [])
        #expect(
            Self.pointers(text) == ["/apps/0/name", "/apps/0/category", "/apps/0/tagline/en", "/apps/0/tagline/ko"])
        #expect(warnings(text).allSatisfy { $0.message.contains("blank") })
    }

    @Test func anEmptyTranslationIsAbsentAndNotBlank() {
        #expect(Self.pointers(catalog([app("a", ["tagline": #"{"en":"x","ko":"","ja":null}"#])])) == [])
    }

    @Test func anIDThatBeginsWithAHyphenCausesAWarning() throws {
        let warning = try #require(warnings(catalog([app("a-x"), app("-x")])).first)
        #expect(warning.pointer == "/apps/1/id")
        #expect(warning.message.contains("hyphen"))
        #expect(warning.message.contains("option"))
    }

    @Test func warningsComeBesideFindings() {
        let text = catalog([app("-x", ["name": "1"])])
        #expect(Self.pointers(text) == ["/apps/0/id"])
        #expect(findings(text).map(\.pointer) == ["/apps/0/name"])
    }

    @Test(arguments: [
        "[]", "1", #"{"apps":1,"promoRules":[]}"#, #"{"apps":[1,{"tagline":3,"id":{}}],"promoRules":{"x":1}}"#,
    ])
    func textThatIsNotACatalogHasNoWarnings(text: String) {
        #expect(warnings(text) == [])
    }

    @Test func aWarningIsASentence() {
        let text = catalog([app("-x", ["name": #"" ""#])], rules: #"{"Y":[],"-xx":[]}"#)
        let found = warnings(String(text.dropLast()) + ",\"App\":1}")
        #expect(found.count >= 4)
        for warning in found { #expect(warning.message.last == "." || warning.message.last == "?", "\(warning)") }
    }
}
