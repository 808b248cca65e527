package import PromoWire

/// A text in English, with Korean and Japanese translations if there are any.
package struct LocalizedText: Equatable, Sendable {
    /// The English text, never empty.
    package let en: String
    /// The Korean text; nil if it is absent, null or empty in the catalog.
    package let ko: String?
    /// The Japanese text; nil if it is absent, null or empty in the catalog.
    package let ja: String?

    /// A text with its translations; an empty translation counts as none.
    package init(en: String, ko: String? = nil, ja: String? = nil) {
        self.en = en
        self.ko = ko?.isEmpty == true ? nil : ko
        self.ja = ja?.isEmpty == true ? nil : ja
    }

    /// The text in each language that has one.
    package var texts: [Language: String] {
        [.en: en, .ko: ko, .ja: ja].compactMapValues(\.self)
    }
}
