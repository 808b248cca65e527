import PromoWire
import Testing

/// The language of a process, by its environment.
struct LanguageEnvironmentTests {
    private static let environments: [([String: String], Language)] = [
        ([:], .en), (["LANG": "ko_KR.UTF-8"], .ko), (["LC_MESSAGES": "ja_JP.UTF-8"], .ja), (["LC_ALL": "ko_KR"], .ko),
        (["LC_ALL": "ja_JP", "LC_MESSAGES": "ko_KR", "LANG": "ko_KR"], .ja),
        (["LC_MESSAGES": "ja_JP", "LANG": "ko_KR"], .ja), (["LC_ALL": "C", "LANG": "ko_KR"], .en),
        (["LC_ALL": "", "LC_MESSAGES": "", "LANG": "ko_KR"], .ko), (["LC_ALL": "", "LC_MESSAGES": "ja_JP"], .ja),
        (["LANGUAGE": "ko", "LC_TIME": "ja_JP"], .en), (["LANGUAGE": "ko", "LANG": "C"], .en),
        (["LANGUAGE": "ko", "LANG": "POSIX"], .en), (["LANGUAGE": "ko", "LC_ALL": "C", "LANG": "ja_JP"], .en),
        (["LANGUAGE": "ko", "LANG": "en_US.UTF-8"], .ko), (["LANGUAGE": "fr:ja_JP:ko", "LANG": "de_DE"], .ja),
        (["LANGUAGE": "en:ko", "LANG": "ko_KR"], .en), (["LANGUAGE": "fr:de", "LANG": "ko_KR"], .ko),
        (["LANGUAGE": "", "LANG": "ko_KR"], .ko), (["LANGUAGE": "::ko", "LANG": "C.UTF-8"], .ko),
        (["LC_ALL": "", "LC_MESSAGES": "", "LANG": ""], .en),
    ]

    @Test(arguments: environments)
    func theLanguageIsChosenByGettextsRules(environment: [String: String], language: Language) {
        #expect(Language(environment: environment) == language)
    }
}
