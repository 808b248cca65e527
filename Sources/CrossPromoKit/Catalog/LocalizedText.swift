import PromoProcess
package import PromoWire

/// A text in English and in the languages that it is translated to, coded as the protocol has it: `{"en":"Books","ko":"독서"}`.
public struct LocalizedText: Hashable, Codable, Sendable {
    /// English, which is always there.
    public let en: String
    /// Korean.
    public let ko: String?
    /// Japanese.
    public let ja: String?

    /// A text with its translations.
    public init(en: String, ko: String? = nil, ja: String? = nil) {
        self.en = en
        self.ko = ko
        self.ja = ja
    }

    /// The text in the language of the process, from `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` or `LANG`; English if there is no translation.
    public var localized: String {
        text(in: Language(environment: ProcessEnvironment().variables))
    }

    /// The text in the language of a BCP 47 tag or a POSIX locale; English where there is no translation.
    public func localized(in tag: String) -> String {
        text(in: Language(tag: tag))
    }

    package func text(in language: Language) -> String {
        let translation =
            switch language {
            case .en: en
            case .ko: ko
            case .ja: ja
            }
        return translation.flatMap { $0.isEmpty ? nil : $0 } ?? en
    }
}
