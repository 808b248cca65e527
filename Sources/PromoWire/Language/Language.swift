/// A language that a catalog's taglines and promod's messages to people come in.
package enum Language: String, CaseIterable, Sendable {
    case en, ko, ja

    /// The language of a BCP 47 tag (`ko-KR`) or a POSIX locale (`ja_JP.UTF-8`): English where it is neither Korean nor Japanese.
    package init(tag: String) {
        self = Language(known: tag) ?? .en
    }

    /// The language of a process's messages, by gettext's rules: the first of the list in `LANGUAGE` that is one of ours, unless the
    /// locale is C; else the locale, which is the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty.
    package init(environment: [String: String]) {
        let variables = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
        let locale = variables.first { !$0.isEmpty } ?? "C"
        let list = ["C", "POSIX"].contains(locale) ? [] : (environment["LANGUAGE"] ?? "").split(separator: ":")
        self = list.lazy.compactMap { Language(known: String($0)) }.first ?? Language(tag: locale)
    }

    private init?(known tag: String) {
        // A subtag ends with a hyphen, or in a locale with the territory, the encoding or the modifier.
        let primary = tag.prefix { !"-_.@".contains($0) }
        self.init(rawValue: primary.lowercased())
    }
}
