import PromoWire
import Testing
import promoctl

/// What the page contains, and what no text of a catalog can put into it.
struct MoreAppsPageTests {
    private static func app(
        _ text: OutsideText = "Bookary", tagline: [Language: OutsideText] = [.en: "A diary", .ko: "일기"]
    )
        -> MoreAppsPage.App
    {
        let listed = ListResult.App(
            id: "bookary", name: text, appStoreID: "1", iconURL: "https://a.example/i", category: text,
            tagline: tagline, storeURL: "https://store.example/x?a=1&b=2",
            placeholder: Placeholder(initials: text.shown(), color: RGBColor(0, 95, 135)))
        return MoreAppsPage.App(listed, picture: nil)
    }

    private func html(_ apps: [MoreAppsPage.App], _ language: Language = .en) -> String {
        String(decoding: MoreAppsPage(apps, in: language).html, as: UTF8.self)
    }

    @Test(arguments: Language.allCases)
    func thePageIsInItsLanguage(language: Language) {
        let html = html([Self.app()], language)
        #expect(html.contains("<html lang=\"\(language.rawValue)\">"))
        #expect(html.contains(language == .ko ? ">일기<" : ">A diary<"))
        // The English text on a Japanese page says so.
        #expect(html.contains("class=\"tagline\" dir=\"auto\" lang=\"en\"") == (language == .ja))
    }

    @Test(arguments: Language.allCases)
    func onlyTheSamplesPageSaysThatItIsASample(language: Language) {
        let sample = String(decoding: MoreAppsPage([Self.app()], in: language, isSample: true).html, as: UTF8.self)
        #expect(sample.contains("<p class=\"sample\" role=\"note\">"))
        #expect(!html([Self.app()], language).contains("class=\"sample\""))
    }

    @Test func aPictureIsInThePage() {
        var app = Self.app()
        #expect(html([app]).contains("style=\"background: #005f87\" aria-hidden=\"true\">Bookary</span>"))
        app.picture = (.png, Array("iVBORw0KGgo=".utf8))
        #expect(
            html([app]).contains("<img alt=\"\" width=\"64\" height=\"64\" src=\"data:image/png;base64,iVBORw0KGgo=\">")
        )
    }

    @Test func anEmptyListSaysSo() {
        #expect(html([]).contains("<p>There are no other apps to show.</p>"))
        #expect(!html([]).contains("<ul"))
    }
}
