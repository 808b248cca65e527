import PromoWire
import Testing

/// A list asks for taglines in one language, or in all with a star.
struct TaglineLanguageTests {
    @Test func aStarAsksForAllTranslations() {
        #expect(TaglineLanguage("*") == .all)
        #expect(TaglineLanguage("*").lookedFor == nil)
    }

    @Test(arguments: [("ko-KR", "ko"), ("ja_JP.UTF-8", "ja"), ("en", "en"), ("fr", "en"), ("", "en"), ("**", "en")])
    func anyOtherTextAsksForOneLanguage(text: String, tag: String) {
        #expect(TaglineLanguage(OutsideText(text)).lookedFor == tag)
        #expect(TaglineLanguage(OutsideText(text)) == .one(Language(tag: text)))
    }
}
