/// A language of a catalog's taglines and of promod's messages to people.
package enum Language: String, CaseIterable, Sendable {
    case en, ko, ja

    /// The language of a BCP 47 tag (`ko-KR`) or a POSIX locale (`ja_JP.UTF-8`); English unless that is Korean or Japanese.
    package init(tag: String) {
        self = Language(known: tag) ?? .en
    }

    /// The language of a process's messages, by the rules of gettext.
    ///
    /// The locale is the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty. Unless it is C, the first language in the list
    /// `LANGUAGE` that promod knows takes precedence over it.
    package init(environment: [String: String]) {
        let variables = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
        let locale = variables.first { !$0.isEmpty } ?? "C"
        let list = ["C", "POSIX"].contains(locale) ? [] : (environment["LANGUAGE"] ?? "").split(separator: ":")
        self = list.lazy.compactMap { Language(known: String($0)) }.first ?? Language(tag: locale)
    }

    private init?(known tag: String) {
        // In a tag the language ends at a hyphen, in a locale at the territory, the encoding or the modifier.
        let primary = tag.prefix { !"-_.@".contains($0) }
        self.init(rawValue: primary.lowercased())
    }
}
