package import PromoWire

extension ReviewParameters {
    /// The page on which to write the review: by the store number in the catalog, else by the one in the request; nil if neither exists.
    package func page(in catalog: PreparedCatalog?) -> String? {
        (catalog?.appStoreID(of: app) ?? appStoreID).map(PromoApp.reviewURL)
    }
}
