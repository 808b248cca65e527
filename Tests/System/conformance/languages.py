"""BCP 47 tags (RFC 5646, and their lookup by RFC 4647) and POSIX locales in the parameter language."""
from support.claims import expect

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

def check(report, subject):
    """Runs all checks."""
    for clause, claim, tags, language in TAGS:
        report.check(clause, f"{claim} ({language})", tagged, subject, tags, language)


def tagged(subject, tags, language):
    for tag in tags:
        found = subject.daemon.ask("list", language=tag, limit=1)["language"]
        expect(found == language, f"{tag!r} is {found}, not {language}")
