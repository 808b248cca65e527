import PromoCore
import PromoWire
import Testing

/// A tagline that is absent, null or empty falls back to English.
struct LocalizedTextTests {
    private static let all = LocalizedText(en: "e", ko: "k", ja: "j")

    @Test(arguments: [(.en, "e"), (.ko, "k"), (.ja, "j")] as [(Language, String)])
    func eachLanguageHasItsText(language: Language, text: String) {
        #expect(Self.all.text(in: language) == text)
    }

    @Test(arguments: [Language.ko, .ja])
    func aMissingTranslationIsEnglish(language: Language) {
        #expect(LocalizedText(en: "e").text(in: language) == "e")
        #expect(LocalizedText(en: "e", ko: "", ja: "").text(in: language) == "e")
    }

    @Test func anEmptyTranslationIsAbsent() {
        #expect(LocalizedText(en: "e", ko: "", ja: "") == LocalizedText(en: "e"))
        #expect(LocalizedText(en: "e", ko: "", ja: "j").ko == nil)
        #expect(LocalizedText(en: "e", ko: "k", ja: "").ja == nil)
    }

    @Test func oneTranslationIsNotTakenForTheOther() {
        #expect(LocalizedText(en: "e", ko: "k").text(in: .ja) == "e")
        #expect(LocalizedText(en: "e", ja: "j").text(in: .ko) == "e")
    }
}
