import PromoWire
import Testing

@testable import CrossPromoKit

/// What people read, in each language.
struct WordsTests {
    private func sentences(_ language: Language) -> [String] {
        let words = Words(in: language)
        return Words.Trouble.allCases.map(words.sentences) + [
            words.loading, words.tryAgain, words.everyAppLaunched, words.sample, words.bundled, words.keys.rows,
            words.keys.retry, words.keys.leave, words.numbers, words.old("T"), words.opened("A"), words.open("U"),
        ]
    }

    @Test func eachLanguageHasEachSentenceInItsScript() {
        func has(_ range: ClosedRange<Unicode.Scalar>, _ text: String) -> Bool {
            text.unicodeScalars.contains { range.contains($0) }
        }
        for text in sentences(.ko) { #expect(has("가"..."힣", text) && !has("ぁ"..."ヿ", text), "\(text)") }
        for text in sentences(.ja) {
            #expect((has("ぁ"..."ヿ", text) || has("一"..."龥", text)) && !has("가"..."힣", text), "\(text)")
        }
        for text in sentences(.en) { #expect(!has("가"..."힣", text) && !has("ぁ"..."ヿ", text), "\(text)") }
        #expect(Set(Language.allCases.flatMap(sentences)).count == 3 * sentences(.en).count)
    }

    @Test func whatIsSaidOfAppsSaysNothingOfPromod() {
        for language in Language.allCases {
            for text in sentences(language) where text != Words(in: language).sample {
                #expect(!text.contains("promo"), "\(text)")
            }
        }
    }
}
