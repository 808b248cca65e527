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
        let scripts: [(Language, ClosedRange<Unicode.Scalar>)] = [(.ko, "가"..."힣"), (.ja, "ぁ"..."龥")]
        for language in Language.allCases {
            for text in sentences(language) {
                let found = scripts.filter { script in text.unicodeScalars.contains { script.1.contains($0) } }
                #expect(found.map(\.0) == (language == .en ? [] : [language]), "\(text)")
            }
        }
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
