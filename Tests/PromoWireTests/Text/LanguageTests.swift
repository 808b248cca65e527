import PromoWire
import Testing

/// A BCP 47 tag or a POSIX locale is Korean, Japanese or else English.
///
/// - RFC 5646, section 2.1.1: case does not matter.
/// - RFC 5646, section 2.2.1: the first subtag is the language, and a longer one is another language.
/// - RFC 5646, section 2.2.7: after `x` there is no language.
/// - RFC 4647, section 3.4: subtags are removed from the end until the tag is known; if it never is, a default is used.
/// - POSIX, Base Definitions, section 8.2: a locale is `language[_territory][.codeset][@modifier]`, or the path of a file.
struct LanguageTests {
    private static let tags: [(Language, [String])] = [
        (
            .ko,
            [
                "ko", "KO", "Ko", "ko-KR", "ko-kr", "ko-Hang-KR", "ko_KR", "ko_KR.UTF-8", "ko.UTF-8", "ko_KR.eucKR",
                "ko_KR.UTF-8@hangul", "ko@x", "ko-KR-u-ca-dangi", "ko-408", "ko-t-ja", "ko-KR-x-ja", "ko-1994-1995",
                "kO-hANG-kp",
            ]
        ),
        (
            .ja,
            ["ja", "jA-jpan", "ja-Jpan-JP", "ja_JP.SJIS", "ja_JP@x", "ja-Latn-hepburn-heploc", "ja-t-ko", "ja-JP-x-ko"]
        ),
        (
            .en,
            [
                "", "en", "en-US", "en_GB.UTF-8", "EN", "C", "C.UTF-8", "POSIX", "fr", "de_DE.UTF-8", "zh-Hans", "k",
                "j", "kok", "kok_IN", "jam", "kor", "jpn", "*", "-ko", "_ja", "x-ko", "zh-ko",
                "\u{D55C}\u{AD6D}\u{C5B4}", "\u{FF4B}\u{FF4F}", " ko", "X-JA", "qaa-x-ko", "i-klingon", "und", "mul",
                "*-KR", "/ko", "/usr/lib/locale/ko_KR",
            ]
        ),
    ]

    @Test(arguments: tags)
    func aTagOrLocaleIsOfItsLanguage(language: Language, tags: [String]) {
        for tag in tags { #expect(Language(tag: tag) == language, "\(tag)") }
    }

    @Test func aStarAsksForAllTranslationsAndAnyOtherTextForOneLanguage() {
        #expect(TaglineLanguage("*") == .all)
        for (text, language) in [("ko-KR", Language.ko), ("ja_JP.UTF-8", .ja), ("fr", .en), ("", .en), ("**", .en)] {
            #expect(TaglineLanguage(OutsideText(text)) == .one(language))
        }
    }
}
