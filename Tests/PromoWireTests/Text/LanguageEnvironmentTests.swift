import PromoWire
import Testing

/// The language of a process, by its environment.
struct LanguageEnvironmentTests {
    /// POSIX, Base Definitions, section 8.2: the first of three variables that is set and not empty is the locale. Section 7.2:
    /// C and POSIX are a locale of their own.
    private static let locales: [([String: String], Language)] = [
        ([:], .en), (["LANG": "ko_KR.UTF-8"], .ko), (["LC_MESSAGES": "ja_JP.UTF-8"], .ja), (["LC_ALL": "ko_KR"], .ko),
        (["LC_ALL": "ja_JP", "LC_MESSAGES": "ko_KR", "LANG": "ko_KR"], .ja),
        (["LC_MESSAGES": "ja_JP", "LANG": "ko_KR"], .ja), (["LC_ALL": "C", "LANG": "ko_KR"], .en),
        (["LC_MESSAGES": "POSIX", "LANG": "ko_KR"], .en), (["LC_ALL": "fr_FR", "LANG": "ko_KR"], .en),
        (["LC_ALL": "", "LC_MESSAGES": "", "LANG": "ko_KR"], .ko), (["LC_ALL": "", "LC_MESSAGES": "ja_JP"], .ja),
        (["LC_ALL": "", "LC_MESSAGES": "", "LANG": ""], .en), (["LC_TIME": "ja_JP", "LC_CTYPE": "ko_KR"], .en),
    ]

    /// The gettext manual, section 2.3.3: a list of languages that precedes the locale, unless that is C.
    private static let lists: [([String: String], Language)] = [
        (["LANGUAGE": "ko", "LANG": "en_US.UTF-8"], .ko),
        (["LANGUAGE": "ja", "LC_ALL": "ko_KR", "LANG": "ko_KR"], .ja),
        (["LANGUAGE": "fr:ja_JP:ko", "LANG": "de_DE"], .ja), (["LANGUAGE": "en:ko", "LANG": "ko_KR"], .en),
        (["LANGUAGE": "fr:de", "LANG": "ko_KR"], .ko), (["LANGUAGE": "", "LANG": "ko_KR"], .ko),
        (["LANGUAGE": "::ko", "LANG": "en_US"], .ko), (["LANGUAGE": "ko", "LC_ALL": "C.UTF-8"], .en),
        (["LANGUAGE": "ko", "LC_TIME": "ja_JP"], .en),
        (["LANGUAGE": "ko", "LANG": "C"], .en), (["LANGUAGE": "ko", "LANG": "POSIX"], .en),
        (["LANGUAGE": "ko", "LC_ALL": "C", "LANG": "ja_JP"], .en),
        (["LANGUAGE": "ko", "LC_MESSAGES": "C", "LANG": "ja_JP"], .en),
    ]

    @Test(arguments: locales + lists)
    func theListPrecedesTheFirstLocaleThatIsNotEmptyUnlessThatIsC(environment: [String: String], language: Language) {
        #expect(Language(environment: environment) == language)
    }
}
