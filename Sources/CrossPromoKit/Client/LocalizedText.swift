import PromoSystem
package import PromoWire

/// A text in English with its translations, encoded as in the protocol: `{"en":"Books","ko":"독서"}`.
public struct LocalizedText: Hashable, Codable, Sendable {
    private enum CodingKeys: CodingKey {
        case en, ko, ja
    }

    /// The English text.
    public let en: String
    /// The Korean translation.
    public let ko: String?
    /// The Japanese translation.
    public let ja: String?
    /// The language of ``localized``; nil for the process's.
    private var shown: Language?

    /// Creates a text with its translations.
    public init(en: String, ko: String? = nil, ja: String? = nil) {
        self.init(en: en, ko: ko, ja: ja, shown: nil)
    }

    init(en: String, ko: String?, ja: String?, shown: Language?) {
        (self.en, self.ko, self.ja, self.shown) = (en, ko, ja, shown)
    }

    /// The text in the language of ``PromoConfig/language``, else of the process (`LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`); English if
    /// there is no translation.
    public var localized: String { text(in: shown ?? .ofProcess) }

    /// The text in the language of a BCP 47 tag or a POSIX locale; English if there is no translation.
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

extension Language {
    /// The language of the process.
    package static var ofProcess: Language { Language(environment: ProcessEnvironment().variables) }
}
