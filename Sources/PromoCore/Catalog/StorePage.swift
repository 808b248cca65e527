import PromoWire

/// An app's page in a store.
package struct StorePage: Equatable, Sendable {
    /// The app's number in the App Store; nil if it is not there.
    package let appStoreID: String?
    /// The https address of the page: in the store for Linux if the catalog names one, else in the App Store.
    package let url: String

    /// Creates a page.
    package init(appStoreID: String?, url: String) {
        self.appStoreID = appStoreID
        self.url = url
    }

    /// The page for writing a review if the catalog names none: the store's page, or Apple's form for the App Store.
    var reviewURL: String {
        guard let appStoreID, url == StoreNumber.page(of: appStoreID) else { return url }
        return Self.appleReview(appStoreID)
    }

    /// Apple's form for writing a review of the app with a number.
    package static func appleReview(_ appStoreID: String) -> String {
        StoreNumber.page(of: appStoreID) + "?action=write-review"
    }
}
