package import PromoWire

/// A text in English, and in Korean and Japanese where somebody translated it.
package struct LocalizedText: Equatable, Sendable {
    /// The English text, never empty.
    package let en: String
    /// The Korean text; nil where it is absent, null or empty in the catalog.
    package let ko: String?
    /// The Japanese text; nil where it is absent, null or empty in the catalog.
    package let ja: String?

    /// A text with its translations, of which an empty one counts as none.
    package init(en: String, ko: String? = nil, ja: String? = nil) {
        self.en = en
        self.ko = ko?.isEmpty == true ? nil : ko
        self.ja = ja?.isEmpty == true ? nil : ja
    }

    /// The texts that there are.
    package var texts: [Language: String] {
        [.en: en, .ko: ko, .ja: ja].compactMapValues(\.self)
    }
}
