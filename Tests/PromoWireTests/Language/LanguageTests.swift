import PromoWire
import Testing

/// A BCP 47 tag or a POSIX locale is Korean, Japanese or else English.
struct LanguageTests {
    @Test(
        arguments: [
            "ko", "KO", "Ko", "ko-KR", "ko-kr", "ko-Hang-KR", "ko_KR", "ko_KR.UTF-8", "ko.UTF-8", "ko_KR.eucKR",
            "ko_KR.UTF-8@hangul", "ko@x", "ko-KR-u-ca-dangi",
        ])
    func tagsAndLocalesOfKoreanAreKorean(tag: String) {
        #expect(Language(tag: tag) == .ko)
    }

    @Test(
        arguments: [
            "ja", "JA", "ja-JP", "ja-Jpan-JP", "ja_JP", "ja_JP.UTF-8", "ja_JP.SJIS", "ja_JP@x", "ja-Latn-hepburn",
        ])
    func tagsAndLocalesOfJapaneseAreJapanese(tag: String) {
        #expect(Language(tag: tag) == .ja)
    }

    @Test(
        arguments: [
            "", "en", "en-US", "en_GB.UTF-8", "EN", "C", "C.UTF-8", "POSIX", "fr", "de_DE.UTF-8", "zh-Hans", "k", "j",
            "kok", "kok_IN", "jam", "kor", "jpn", "*", "-ko", "_ja", "x-ko", "zh-ko", "\u{D55C}\u{AD6D}\u{C5B4}",
            "\u{FF4B}\u{FF4F}", " ko",
        ])
    func everyOtherTextIsEnglish(tag: String) {
        #expect(Language(tag: tag) == .en)
    }

    @Test func theWordsForTheLanguagesAreTheirCodes() {
        #expect(Language.allCases.map(\.rawValue) == ["en", "ko", "ja"])
        for language in Language.allCases { #expect(Language(tag: language.rawValue) == language) }
    }
}
