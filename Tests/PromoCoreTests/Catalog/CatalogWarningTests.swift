import PromoCore
import PromoWire
import Testing

/// A probable mistake that breaks no rule causes a warning where it is, with what was probably meant.
struct CatalogWarningTests {
    private static let hosts =
        ["bookray", "bokary", "bookaryy", "Bookary", "BOOKARY", "bookery", "book-ary"].map { host in
            CatalogCase(
                rules: "{\"\(host)\":[]}", warnings: ["/\(host)"], says: ["\"\(host)\"", "Did you mean \"bookary\"?"])
        }
        + ["bookary", "fittoday", "library", "", "Fit Today", "한글"].map { CatalogCase(rules: "{\"\($0)\":[]}") }
        + [
            // Short ids are similar only to themselves.
            CatalogCase(catalog([app("a1"), app("abc")], rules: #"{"a2":[],"xyc":[]}"#)),
            CatalogCase(catalog([app("abc")], rules: #"{"abd":[]}"#), warnings: ["/promoRules/abd"]),
        ]

    private static let members =
        [("PromoRules", "promoRules"), ("promo_rules", "promoRules"), ("promorule", "promoRules"), ("Apps", "apps")]
        .map { written, meant in
            CatalogCase(
                "{\"apps\":[\(app())],\"\(written)\":null}", warnings: ["/\(written)"],
                says: ["\"\(written)\"", "Did you mean \"\(meant)\"?"])
        }
        + [
            ("ID", "id"), ("Name", "name"), ("appStoreId", "appStoreID"), ("app_store_id", "appStoreID"),
            ("iconUrl", "iconURL"), ("icon-url", "iconURL"), ("catagory", "category"), ("tagLine", "tagline"),
        ].map { CatalogCase([$0: #""x""#], warnings: [$0], says: ["Did you mean \"\($1)\"?"]) }
        + ["version", "$schema", "rating", "icon", "url", "description", "is"].flatMap {
            [CatalogCase([$0: "1"]), CatalogCase("{\"apps\":[\(app())],\"\($0)\":1}")]
        }

    private static let languages =
        ["fr", "es", "kr", "KO", "ko-KR", "eng", "zh-Hant", "comment"].map { language in
            CatalogCase(
                ["tagline": "{\"en\":\"x\",\"\(language)\":\"y\"}"], warnings: ["tagline/\(language)"],
                says: ["does not know the language \"\(language)\"; it shows en, ko, ja."])
        }
        + [
            // Each language gets one warning, wherever it stands.
            CatalogCase(
                catalog([
                    app("a1", ["category": #"{"en":"x","fr":"x"}"#, "tagline": #"{"en":"x","fr":"x","de":"x"}"#]),
                    app("b2", ["tagline": #"{"en":"x","de":"x"}"#]),
                ]), warnings: ["/apps/0/category/fr", "/apps/0/tagline/de"])
        ]

    private static let stores =
        ["Linux", "linus", "LINUX", "linx"].map { name in
            CatalogCase(
                ["reviewURLs": "{\"\(name)\":\"https://s.example/\"}"], warnings: ["reviewURLs/\(name)"],
                says: ["Did you mean \"linux\"?"])
        }
        + ["windows", "macos", "android", "flatpak"].map { name in
            CatalogCase(
                ["reviewURLs": "{\"\(name)\":1}"], warnings: ["reviewURLs/\(name)"],
                says: ["does not know \"\(name)\"; it reads \"linux\"."])
        }
        + [
            CatalogCase(
                ["storeURLs": nil], warnings: ["storeURLs"],
                says: ["no page for \"linux\", so a tap leads to the App Store, which installs nothing on Linux."]),
            CatalogCase(
                catalog([app("a1"), app("b2", ["storeURLs": "{}"]), app("c3", ["storeURLs": "null"])]),
                warnings: ["/apps/1/storeURLs"], says: ["The same holds for 1 other app."]),
        ]

    private static let values =
        [
            CatalogCase(
                ["iconURL": #""https://a.example/b|c""#], warnings: ["iconURL"],
                says: ["“|” (U+007C); promod escapes it"]),
            CatalogCase(
                ["reviewURLs": #"{"linux":"https://a.example/한"}"#], warnings: ["reviewURLs/linux"],
                says: ["“한” (U+D55C); promod escapes it"]),
            CatalogCase("\u{FEFF}" + catalog([app()]), warnings: [""], says: ["byte order mark"]),
            CatalogCase("{\"apps\":1,\"promoRules\":[]}", findings: ["/apps", "/promoRules"]),
            CatalogCase(#"{"apps":[1]}"#, findings: ["/apps/0"]),
        ]

    @Test(arguments: hosts + members + languages + stores + values)
    func eachProbableMistakeIsNamedWhereItIs(mistake: CatalogCase) { mistake.check() }

    @Test func theSampleHasNoWarning() throws {
        #expect(try CatalogText(SampleCatalog.bytes).warnings == [])
    }
}
