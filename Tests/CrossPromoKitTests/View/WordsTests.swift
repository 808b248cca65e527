import PromoWire
import Testing

@testable import CrossPromoKit

/// What people read, in each language.
struct WordsTests {
    private func sentences(_ language: Language) -> [String] {
        let words = Words(in: language)
        let troubles = Words.Trouble.allCases.map(words.trouble).flatMap { [$0.problem, $0.remedy] }
        let ages = ([Age.Unit?.none] + Age.Unit.allCases).map { words.age("T", words.ago(3, $0)) }
        return troubles + ages + [
            words.loading, words.tryAgain, words.noApps, words.everyAppLaunched, words.sample, words.bundled,
            words.keys,
            words.numbers, words.nextTry("T"), words.promotesNone(nil), words.promotesNone("h"), words.willRefresh,
            words.opened("A"), words.open("U"),
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

    @Test func anOldListSaysItsAgeInTheLanguageOfItsRows() {
        #expect(Words.ko.age("9월 7일 18:00", Age.text(.seconds(3 * 86_400), in: .ko)) == "9월 7일 18:00(3일 전) 기준 목록입니다")
    }
}
