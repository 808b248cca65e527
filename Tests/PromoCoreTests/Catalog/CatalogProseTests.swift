import PromoCore
import PromoWire
import Testing

/// Names, taglines and categories lose, when a catalog is taken, what would control a terminal, break a line or reorder it.
struct CatalogProseTests {
    private static let texts: [(written: String, shown: OutsideText, controls: [String])] = [
        ("a\\u001b[31mb\\u0007\\u0000c", "a[31mbc", ["U+0000", "U+0007", "U+001B"]),
        ("a\\tb\\nc\\rd\\u000be\\u000cf", "a b c d e f", ["U+0009", "U+000A", "U+000B", "U+000C", "U+000D"]),
        ("a\\r\\nb\\r\\n\\r\\nc\\n\\rd", "a b  c  d", ["U+000A", "U+000D"]),
        ("a\u{7F}b\u{80}c\u{9B}2Jd\u{9F}", "abc2Jd", ["U+007F", "U+0080", "U+009B", "U+009F"]),
        ("a\u{85}b\u{2028}c\u{2029}d", "a b c d", ["U+0085", "U+2028", "U+2029"]),
        ("a\u{202A}b\u{202E}c\u{2066}d\u{2069}", "abcd", ["U+202A", "U+202E", "U+2066", "U+2069"]),
        // What languages and emoji are written with stays.
        (
            "\u{200E}a\u{200F}b\u{200C}c\u{200D}d\u{61C}\u{A0}\u{2065}\u{206A}\u{FEFF}",
            "\u{200E}a\u{200F}b\u{200C}c\u{200D}d\u{61C}\u{A0}\u{2065}\u{206A}\u{FEFF}", []
        ),
        ("é ’ © 👨‍👩‍👧 日本語", "é ’ © 👨‍👩‍👧 日本語", []),
    ]

    @Test(arguments: texts)
    func aTextLosesItsControls(written: String, shown: OutsideText, controls: [String]) throws {
        let text = catalog([
            app(
                "a",
                [
                    "name": "\"\(written)\"", "category": "{\"en\":\"\(written)\",\"ja\":\"\(written)\"}",
                    "tagline": "{\"en\":\"\(written)\",\"ko\":\"\(written)\"}",
                ]),
            app("b", ["category": "\"\(written)\""]),
        ])
        let apps = try AppCatalog(Array(text.utf8)).apps
        let app = try #require(apps.first)
        #expect(app.name == shown)
        #expect(app.category == LocalizedText(en: shown, ja: shown))
        #expect(app.tagline == LocalizedText(en: shown, ko: shown))
        #expect(apps.last?.category.en == shown)
        let places = ["0/name", "0/category/en", "0/category/ja", "0/tagline/en", "0/tagline/ko", "1/category"]
        let found = warnings(text)
        #expect(Set(found.map(\.pointer)) == Set(controls.isEmpty ? [] : places.map { "/apps/\($0)" }))
        #expect(found.allSatisfy { $0.message.hasSuffix(": \(controls.joined(separator: ", ")).") }, "\(found)")
    }

    /// A required text of which nothing is left breaks a rule, and a translation counts as absent.
    private static let nothing = [
        CatalogCase(["name": #""\u0007""#], findings: ["name"], warnings: ["name"]),
        CatalogCase(["category": #""\u001b\u202e""#], findings: ["category"], warnings: ["category"]),
        CatalogCase(["tagline": #"{"en":"\u0000"}"#], findings: ["tagline/en"], warnings: ["tagline/en"]),
        CatalogCase(["tagline": #"{"en":"x","ko":"\u0000"}"#], warnings: ["tagline/ko"]),
    ]

    @Test(arguments: [
        " ", "\u{A0}", "\u{AD}", "\u{115F}", "\u{1160}", "\u{1680}", "\u{180E}", "\u{2003}", "\u{200B}", "\u{200D}",
        "\u{200E}", "\u{2028}", "\u{202E}", "\u{2060}", "\u{2800}", "\u{3000}", "\u{3164}", "\u{FE0F}", "\u{FEFF}",
        "\u{FFA0}", "\u{E0020}", "\u{3164} \u{2800}\u{200B}",
    ])
    func textOfWhichNothingCanBeSeenIsEmpty(written: String) throws {
        let blank = "\"\(written)\"", numbers = Set(written.unicodeScalars.map(\.number)).sorted()
        CatalogCase(["name": blank], findings: ["name"], warnings: ["name"]).check()
        CatalogCase(["category": blank], findings: ["category"], warnings: ["category"]).check()
        CatalogCase(["tagline": "{\"en\":\(blank)}"], findings: ["tagline/en"], warnings: ["tagline/en"]).check()
        let translated = catalog([app("a", ["tagline": "{\"en\":\"x\",\"ko\":\(blank)}"])])
        #expect(try AppCatalog(Array(translated.utf8)).apps.first?.tagline == LocalizedText(en: "x"))
        #expect(warnings(translated).map(\.pointer) == ["/apps/0/tagline/ko"])
        #expect(
            warnings(translated).first?.message
                == "\"ko\" has no visible character, so it is empty: \(numbers.joined(separator: ", ")).")
    }

    @Test(arguments: ["\u{301}", "한", "·", "😀", "\u{FFFC}", "\u{E000}", "-"])
    func whatCanBeSeenIsText(written: String) throws {
        CatalogCase(["name": "\"\u{3164}\(written)\u{200B}\""]).check()
    }

    @Test(arguments: nothing) func whatIsEmptyAfterwardsIsInvalid(text: CatalogCase) { text.check() }
}
