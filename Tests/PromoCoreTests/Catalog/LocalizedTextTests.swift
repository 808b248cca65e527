import PromoCore
import PromoWire
import Testing

/// A translation that is absent, null or empty is missing.
struct LocalizedTextTests {
    private static let all = LocalizedText(en: "e", ko: "k", ja: "j")

    @Test(arguments: [(.en, "e"), (.ko, "k"), (.ja, "j")] as [(Language, OutsideText)])
    func eachLanguageHasItsText(language: Language, text: OutsideText) {
        #expect(Self.all.texts[language] == text)
    }

    @Test(arguments: [Language.ko, .ja])
    func aMissingTranslationIsNil(language: Language) {
        #expect(LocalizedText(en: "e").texts[language] == nil)
        #expect(LocalizedText(en: "e", ko: "", ja: "").texts[language] == nil)
    }

    @Test func anEmptyTranslationIsAbsent() {
        #expect(LocalizedText(en: "e", ko: "", ja: "") == LocalizedText(en: "e"))
        #expect(LocalizedText(en: "e", ko: "", ja: "j").ko == nil)
        #expect(LocalizedText(en: "e", ko: "k", ja: "").ja == nil)
    }

    @Test func oneTranslationIsNotTakenForTheOther() {
        #expect(LocalizedText(en: "e", ko: "k").texts == [.en: "e", .ko: "k"])
        #expect(LocalizedText(en: "e", ja: "j").texts == [.en: "e", .ja: "j"])
    }
}
