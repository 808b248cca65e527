package import PromoWire

extension ReviewParameters {
    /// The page on which to write the review: that of the catalog, else Apple's for the number in the request; nil if neither exists.
    package func page(in catalog: PreparedCatalog?) -> String? {
        catalog?.reviewURL(of: app) ?? appStoreID.map(StorePage.appleReview)
    }
}
