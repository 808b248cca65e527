package import PromoWire

/// A text in English, with Korean and Japanese translations if there are any.
package struct LocalizedText: Equatable, Sendable {
    /// The English text, never empty.
    package let en: OutsideText
    /// The Korean text; nil if it is absent, null or empty in the catalog.
    package let ko: OutsideText?
    /// The Japanese text; nil if it is absent, null or empty in the catalog.
    package let ja: OutsideText?

    /// A text with its translations; an empty translation counts as none.
    package init(en: OutsideText, ko: OutsideText? = nil, ja: OutsideText? = nil) {
        self.en = en
        self.ko = ko?.isEmpty == true ? nil : ko
        self.ja = ja?.isEmpty == true ? nil : ja
    }

    /// The text in each language that has one.
    package var texts: [Language: OutsideText] {
        [.en: en, .ko: ko, .ja: ja].compactMapValues(\.self)
    }
}
