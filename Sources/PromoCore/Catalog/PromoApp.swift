package import PromoWire

/// An app of a catalog.
package struct PromoApp: Equatable, Sendable {
    /// Its id: lowercase ASCII letters, digits and hyphens, unique in the catalog.
    package let id: String
    /// Its display name, never empty.
    package let name: OutsideText
    /// Its App Store number, in ASCII digits; nil if it is not there.
    package let appStoreID: String?
    /// The https address of its icon.
    package let iconURL: String
    /// The label of its category.
    package let category: LocalizedText
    /// Its description, in a few words.
    package let tagline: LocalizedText
    /// The https address of its page: in a store for Linux if the catalog has one, else in the App Store.
    package let storeURL: String
    /// The https address of the page for writing a review on Linux; nil if the catalog has none.
    package var linuxReviewURL: String?
}
