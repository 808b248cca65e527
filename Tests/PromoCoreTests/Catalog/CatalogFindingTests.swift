import PromoCore
import PromoWire
import Testing

/// All broken rules are found at once, each at its position.
struct CatalogFindingTests {
    private static func pointers(_ text: String) -> [String] {
        findings(text).map(\.pointer)
    }

    @Test func everythingThatIsWrongWithAnAppIsFound() {
        let broken = app(
            "Book_ary",
            [
                "name": "null", "appStoreID": "7", "iconURL": #""http://a/""#, "category": #""""#,
                "tagline": #"{"en":1,"ko":2,"ja":false}"#,
            ])
        #expect(
            Self.pointers(catalog([broken])) == [
                "/apps/0/id", "/apps/0/name", "/apps/0/appStoreID", "/apps/0/iconURL", "/apps/0/category",
                "/apps/0/tagline/en", "/apps/0/tagline/ko", "/apps/0/tagline/ja",
            ])
    }

    @Test func everythingThatIsMissingInAnAppIsFound() {
        #expect(
            Self.pointers(#"{"apps":[{}]}"#) == [
                "/apps/0/id", "/apps/0/name", "/apps/0/appStoreID", "/apps/0/iconURL", "/apps/0/category",
                "/apps/0/tagline",
            ])
    }

    @Test func everyBrokenAppIsFound() {
        let apps = [app("a", ["name": nil]), app("b"), "7", app("c", ["id": nil]), app("d", ["tagline": "{}"])]
        #expect(Self.pointers(catalog(apps)) == ["/apps/0/name", "/apps/2", "/apps/3/id", "/apps/4/tagline/en"])
    }

    @Test func brokenAppsAndBrokenRulesAreFoundTogether() {
        let text = catalog([app("a", ["name": nil])], rules: #"{"x":["a","ghost",1],"y":{},"z":null}"#)
        let expected = [
            "/apps/0/name", "/promoRules/x/1", "/promoRules/x/2", "/promoRules/y", "/promoRules/z",
        ]
        #expect(Self.pointers(text) == expected)
    }

    @Test func anIDThatIsTakenIsFoundEachTimeAndNamesTheFirst() {
        let found = findings(catalog([app("a"), app("b"), app("a"), app("a"), app("b")]))
        #expect(found.map(\.pointer) == ["/apps/2/id", "/apps/3/id", "/apps/4/id"])
        #expect(found.map { $0.message.contains("/apps/0 ") } == [true, true, false])
        #expect(found.last?.message.contains("/apps/1 ") == true)
    }

    @Test func anIDIsTakenByABrokenAppToo() {
        #expect(Self.pointers(catalog([app("a", ["name": nil]), app("a")])) == ["/apps/0/name", "/apps/1/id"])
    }

    @Test func aRuleMayNameABrokenApp() {
        #expect(Self.pointers(catalog([app("a", ["name": nil])], rules: #"{"x":["a"]}"#)) == ["/apps/0/name"])
        #expect(Self.pointers(catalog([app("A")], rules: #"{"x":["A"]}"#)) == ["/apps/0/id"])
    }

    @Test func anEmptyIDInARuleIsReported() {
        #expect(Self.pointers(catalog([app("a")], rules: #"{"x":[""]}"#)) == ["/promoRules/x/0"])
    }

    @Test func withoutAppsTheRulesAreStillChecked() {
        #expect(Self.pointers(#"{"promoRules":[]}"#) == ["/apps", "/promoRules"])
        #expect(Self.pointers(#"{"apps":{},"promoRules":{"x":1}}"#) == ["/apps", "/promoRules/x"])
        #expect(Self.pointers(#"{"apps":[],"promoRules":{"x":["a"]}}"#) == ["/apps", "/promoRules/x/0"])
    }

    @Test(arguments: ["[]", "1", #""apps""#, "null", "true"])
    func aTextThatIsNotAnObjectIsOneFinding(text: String) {
        #expect(Self.pointers(text) == [""])
    }

    @Test(arguments: ["null", #""bookary""#, "1", "[]", "true"])
    func anAppThatIsNotAnObjectIsOneFinding(json: String) {
        #expect(Self.pointers(catalog([app(), json])) == ["/apps/1"])
    }

    @Test(arguments: ["null", #""x""#, "1", "[]", "true"])
    func aTaglineThatIsNotAnObjectIsOneFinding(json: String) {
        #expect(Self.pointers(catalog([app("a", ["tagline": json])])) == ["/apps/0/tagline"])
    }

    private static let ids = [
        "", "A", "a_b", "a b", "a.b", "a/b", "\u{D55C}", "\u{E9}", "a\\n", "a\\u0000", " a", "\u{FF41}",
    ]

    @Test(arguments: ids)
    func anyOtherTextIsNotAnID(id: String) {
        #expect(Self.pointers(catalog([app(id)])) == ["/apps/0/id"])
    }

    @Test(arguments: ["", "id1", "1.0", "-1", "+1", "1 ", "\u{0661}", "\u{FF11}", "1e3", "0x1", "1\\n"])
    func anythingButASCIIDigitsIsNotAStoreNumber(number: String) {
        #expect(Self.pointers(catalog([app("a", ["appStoreID": "\"\(number)\""])])) == ["/apps/0/appStoreID"])
    }

    @Test(arguments: ["name", "appStoreID", "iconURL", "category", "id"], ["null", "1", "true", "[]", "{}", #""""#])
    func everyTextOfAnAppIsAStringThatIsNotEmpty(member: String, json: String) {
        // A category may be an object, which then lacks its English text.
        let place = member == "category" && json == "{}" ? "category/en" : member
        #expect(Self.pointers(catalog([app("a", [member: json])])) == ["/apps/0/\(place)"])
    }
}
