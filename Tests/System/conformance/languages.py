"""BCP 47 tags (RFC 5646, and their lookup by RFC 4647), POSIX locales, and gettext's list, over the socket and in the environment."""
from support.claims import expect
from support.daemon import Daemon

# Clause, claim, values of the parameter language, and the language that is looked for.
TAGS = [
    ("RFC 5646 §2.1.1", "case does not matter", ["KO", "Ko", "kO-kr", "KO-HANG-KR"], "ko"),
    ("RFC 5646 §2.1.1", "case does not matter", ["JA", "jA-Jp"], "ja"),
    ("RFC 5646 §2.2.1", "the first subtag is the language, and must be equal as a whole",
     ["k", "kok", "kok-IN", "kor", "jam", "jpn", "koko", "en", "en-KR", "zh-ko", "und", "mul"], "en"),
    ("RFC 5646 §2.2.2 to §2.2.6", "extended language, script, region, variant and extension leave the language as it is",
     ["ko", "ko-KR", "ko-408", "ko-Hang", "ko-Hang-KP", "ko-Latn-x-mr", "ko-KR-u-ca-dangi", "ko-t-ja", "ko-Kore-KR-a-foo-b-bar"], "ko"),
    ("RFC 5646 §2.2.2 to §2.2.6", "extended language, script, region, variant and extension leave the language as it is",
     ["ja", "ja-JP", "ja-Jpan-JP", "ja-Latn-hepburn", "ja-Latn-hepburn-heploc", "ja-JP-u-ca-japanese", "ja-t-ko"], "ja"),
    ("RFC 5646 §2.2.7", "a tag for private use, or private subtags, name no language", ["x-ko", "X-JA-JP", "qaa-x-ko"], "en"),
    ("RFC 5646 §2.2.8", "a grandfathered tag is no other language", ["i-default", "i-klingon", "art-lojban", "en-GB-oed"], "en"),
    ("RFC 4647 §3.4", "subtags are removed from the end until the tag is known", ["ko-KR-x-a-b", "ko-1994-1995", "ko-zz-zz-zz"], "ko"),
    ("RFC 4647 §3.4", "without a match the default is used",
     ["fr", "de-AT", "", "-", "-ko", "_ja", "*-KR", "日本語", "ｋｏ", " ko", "ｊａ-JP"], "en"),
    ("POSIX XBD 8.2", "a locale is language, _territory, .codeset and @modifier",
     ["ko_KR", "ko_KR.UTF-8", "ko_KR.eucKR", "ko.UTF-8", "ko@hangul", "ko_KR@x", "ko_KR.UTF-8@hangul"], "ko"),
    ("POSIX XBD 8.2", "a locale is language, _territory, .codeset and @modifier",
     ["ja_JP", "ja_JP.SJIS", "ja_JP.UTF-8", "ja.eucJP", "ja_JP.UTF-8@cjknarrow"], "ja"),
    ("POSIX XBD 7.2", "C and POSIX are a locale of their own, in English", ["C", "POSIX", "C.UTF-8", "C.utf8"], "en"),
    ("POSIX XBD 8.2", "a value that begins with a slash is the path of a locale", ["/ko", "/usr/share/locale/ko_KR", "/ja_JP"], "en"),
]

# Clause, claim, the environment of the daemon, and the language of a list without the parameter.
ENVIRONMENTS = [
    ("POSIX XBD 8.2", "LC_ALL has precedence over LC_MESSAGES and LANG",
     {"LC_ALL": "ja_JP", "LC_MESSAGES": "ko_KR", "LANG": "ko_KR"}, "ja"),
    ("POSIX XBD 8.2", "LC_MESSAGES has precedence over LANG", {"LC_MESSAGES": "ja_JP.UTF-8", "LANG": "ko_KR.UTF-8"}, "ja"),
    ("POSIX XBD 8.2", "LANG is used without the others", {"LANG": "ko_KR.UTF-8"}, "ko"),
    ("POSIX XBD 8.2", "an empty variable counts as not set", {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "ko_KR"}, "ko"),
    ("POSIX XBD 8.2", "variables of other categories do not matter",
     {"LC_TIME": "ja_JP", "LC_CTYPE": "ja_JP.UTF-8", "LANG": "ko_KR"}, "ko"),
    ("POSIX XBD 8.2", "the C locale by LC_ALL has precedence too", {"LC_ALL": "C", "LANG": "ko_KR.UTF-8"}, "en"),
    ("POSIX XBD 8.2", "without any variable the default is used", {"LANG": ""}, "en"),
    ("gettext manual 2.3.3", "LANGUAGE has precedence over the locale", {"LANGUAGE": "ja", "LC_ALL": "ko_KR", "LANG": "ko_KR"}, "ja"),
    ("gettext manual 2.3.3", "LANGUAGE is a list, of which the first known entry is used",
     {"LANGUAGE": "fr:de_AT:ja_JP:ko", "LANG": "de_DE"}, "ja"),
    ("gettext manual 2.3.3", "English in the list ends the search", {"LANGUAGE": "en:ko", "LANG": "ko_KR"}, "en"),
    ("gettext manual 2.3.3", "after a list without a known entry the locale is used", {"LANGUAGE": "fr:de", "LANG": "ko_KR"}, "ko"),
    ("gettext manual 2.3.3", "LANGUAGE is ignored in the C locale", {"LANGUAGE": "ko", "LANG": "C"}, "en"),
    ("gettext manual 2.3.3", "the POSIX locale is the C locale", {"LANGUAGE": "ko", "LC_ALL": "POSIX", "LANG": "ja_JP"}, "en"),
    ("gettext manual 2.3.3", "LANGUAGE is ignored without a locale", {"LANGUAGE": "ko", "LANG": ""}, "en"),
]


def check(report, subject):
    """Runs all checks."""
    for clause, claim, tags, language in TAGS:
        report.check(clause, f"{claim} ({language})", tagged, subject, tags, language)
    for clause, claim, variables, language in ENVIRONMENTS:
        report.check(clause, claim, started, subject, variables, language)


def tagged(subject, tags, language):
    for tag in tags:
        found = subject.daemon.ask("list", language=tag, limit=1)["language"]
        expect(found == language, f"{tag!r} is {found}, not {language}")


def started(subject, variables, language):
    """A daemon with this environment, on the sample catalog."""
    daemon = Daemon(subject.daemon.binary, **variables)
    try:
        daemon.start()
        found = daemon.ask("list", limit=1)["language"]
        expect(found == language, f"the daemon's language is {found}, not {language}")
    finally:
        daemon.stop()
