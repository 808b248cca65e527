import PromoWire
import Testing

@testable import CrossPromoKit

/// What people read, in each language.
struct WordsTests {
    private func sentences(_ language: Language) -> [String] {
        let words = Words(in: language)
        let troubles = Words.Trouble.allCases.flatMap { trouble in
            [false, true].map { words.sentences(trouble, hasList: $0) }
        }
        return troubles + [
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
        #expect(Set(Language.allCases.flatMap(sentences)).count == 3 * Set(sentences(.en)).count)
    }

    @Test(arguments: [
        "promo", "catalog", "daemon", "카탈로그", "데몬", "カタログ", "デーモン", "later", "잠시 후", "しばらく", "\u{22}",
    ])
    func noSentenceSpeaksOfPromodOrOfLater(word: String) {
        for text in Language.allCases.flatMap(sentences) { #expect(!text.lowercased().contains(word), "\(text)") }
    }

    @Test func onlyOfAListThatIsShownItIsSaidThatItWasNotUpdated() {
        let updates = [(Language.en, "updated"), (.ko, "새로"), (.ja, "更新")]
        for (language, word) in updates {
            for trouble in Words.Trouble.allCases where trouble != .onlyCopy {
                #expect(!Words(in: language).sentences(trouble).contains(word))
                #expect(Words(in: language).sentences(trouble, hasList: true).contains(word))
            }
        }
    }
}
