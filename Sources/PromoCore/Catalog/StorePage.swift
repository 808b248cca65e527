import PromoWire

/// The page of an app in a store.
package struct StorePage: Equatable, Sendable {
    /// The app's number in the App Store.
    package let appStoreID: String
    /// The https address of the page: in the store for Linux where the catalog has one, else in Apple's.
    package let url: String

    /// A page, with the number of its app.
    package init(appStoreID: String, url: String) {
        self.appStoreID = appStoreID
        self.url = url
    }

    /// The address of the page for writing a review, if the catalog has no other: the store's page; for Apple's store, its form.
    var reviewURL: String { url == StoreNumber.page(of: appStoreID) ? Self.appleReview(appStoreID) : url }

    /// Apple's form for writing a review of the app with a number.
    package static func appleReview(_ appStoreID: String) -> String {
        StoreNumber.page(of: appStoreID) + "?action=write-review"
    }
}
