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
        + ["bookary", "fittoday", "library"].map { CatalogCase(rules: "{\"\($0)\":[]}") }
        + [
            ("", "An id has 1 to 255"), ("*", "An id has 1 to 255"), ("한글", "which has “한” (U+D55C), cannot"),
            ("Fit Today", "Did you mean \"fit-today\"?"), ("com.acme.bookary", "Did you mean \"bookary\"?"),
            ("com.acme.alpha", "Did you mean \"com-acme-alpha\"?"), ("Fine Bill", "Did you mean \"finebill\"?"),
            ("FINE.BILL", "Did you mean \"finebill\"?"), ("bookary\\u200b", "which has the character U+200B, cannot"),
            ("bookаry", "Did you mean \"bookary\"?"), ("fittoday ", "which has a blank (U+0020), cannot"),
        ].map { host, words in
            CatalogCase(
                rules: "{\"\(host)\":[]}", warnings: ["/\(host)".replacing("\\u200b", with: "\u{200B}")],
                says: ["has no effect", words])
        }
        + [
            CatalogCase(rules: #"{"bookary":["bookary"]}"#, warnings: ["/bookary"], says: ["only its own host"]),
            CatalogCase(rules: #"{"bookary":["bookary","bookary"]}"#, warnings: ["/bookary"]),
            CatalogCase(rules: #"{"bookary":["bookary","finebill"]}"#),
        ]
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
        ["fr", "es", "kr", "ko-KR", "eng", "zh-Hant", "comment"].map { language in
            CatalogCase(
                ["tagline": "{\"en\":\"x\",\"\(language)\":\"y\"}"], warnings: ["tagline/\(language)"],
                says: ["does not know \"\(language)\"; it shows the languages en, ko, ja."])
        }
        + [
            CatalogCase(
                ["tagline": #"{"en":"x","KO":"y"}"#], warnings: ["tagline/KO"], says: ["Did you mean \"ko\"?"]),
            // Each language gets one warning, wherever it stands.
            CatalogCase(
                catalog([
                    app("a1", ["category": #"{"en":"x","fr":"x"}"#, "tagline": #"{"en":"x","fr":"x","de":"x"}"#]),
                    app("b2", ["tagline": #"{"en":"x","de":"x"}"#]),
                ]), warnings: ["/apps/0/category/fr", "/apps/0/tagline/de"]),
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
                ["storeURLs": nil], notes: ["storeURLs"],
                says: ["no page for \"linux\", so a tap leads to the App Store, which installs nothing on Linux."]),
            CatalogCase(
                catalog([app("a1"), app("b2", ["storeURLs": "{}"]), app("c3", ["storeURLs": "null"])]),
                notes: ["/apps/1/storeURLs"], says: ["The same holds for 1 other app."]),
        ]

    private static let values =
        [
            CatalogCase(["id": #""-bookary""#], warnings: ["id"], says: ["taken for an option"]),
            CatalogCase(
                ["n\u{430}me": #""x""#], warnings: ["n\u{430}me"],
                says: ["which has “\u{430}” (U+0430) is unknown", "Did you mean \"name\"?"]),
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
        #expect(try CatalogText(SampleCatalog.bytes).notes == [])
        #expect(try CatalogText(SampleCatalog.bytes).warnings == [])
    }
}
