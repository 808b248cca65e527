/// A language of a catalog's taglines and of promod's messages to people.
package enum Language: String, Word {
    case en, ko, ja

    /// The language of a BCP 47 tag (`ko-KR`) or a POSIX locale (`ja_JP.UTF-8`); English for any other than Korean and Japanese.
    package init(tag: OutsideText) {
        self = Language(known: tag) ?? .en
    }

    /// The language of a tag or a locale.
    package init(tag: String) {
        self.init(tag: OutsideText(tag))
    }

    /// The language of a process's messages, by the rules of gettext.
    ///
    /// The locale is the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty. Unless it is C, with or without an encoding, the
    /// first language in the list `LANGUAGE` that promod knows takes precedence over it.
    package init(environment: [String: String]) {
        let variables = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0].map { OutsideText($0) } }
        let locale = variables.first { !$0.isEmpty } ?? "C"
        let isC = locale == "C" || locale == "POSIX" || locale.bytes.starts(with: "C.".utf8)
        let list = isC ? [] : Array((environment["LANGUAGE"] ?? "").utf8)
        let languages = list.split(separator: UInt8(ascii: ":")).lazy.map { OutsideText($0) }
        self = languages.compactMap { Language(known: $0) }.first ?? Language(tag: locale)
    }

    private init?(known tag: OutsideText) {
        // In a tag the language ends at a hyphen, in a locale at the territory, the encoding or the modifier.
        let primary = OutsideText(tag.bytes.prefix { !"-_.@".utf8.contains($0) })
        guard let word = primary.ascii(upTo: 2) else { return nil }
        self.init(rawValue: word.lowercased())
    }
}

/// The message for a person who taps an app without a network.
package enum OfflineMessage {
    /// The message in a language.
    package static func text(in language: Language) -> String {
        switch language {
        case .en: "The store needs an internet connection. Please try again when you are online."
        case .ko: "스토어를 열려면 인터넷 연결이 필요해요. 연결한 뒤 다시 시도해 주세요."
        case .ja: "ストアを開くにはインターネット接続が必要です。接続してから、もう一度お試しください。"
        }
    }
}
