/// A language that a catalog's taglines and promod's messages to people come in.
package enum Language: String, CaseIterable, Sendable {
    case en, ko, ja

    /// The language of a BCP 47 tag (`ko-KR`) or a POSIX locale (`ja_JP.UTF-8`): English where it is neither Korean nor Japanese.
    package init(tag: String) {
        // A subtag ends with a hyphen, or in a locale with the territory, the encoding or the modifier.
        let primary = tag.prefix { !"-_.@".contains($0) }
        self = Language(rawValue: primary.lowercased()) ?? .en
    }

    /// The language of a process's messages: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty.
    package init(environment: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self.init(tag: locale ?? "")
    }
}
