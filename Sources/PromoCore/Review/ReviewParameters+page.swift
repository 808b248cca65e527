package import PromoWire

extension ReviewParameters {
    /// Where to write the review: by the catalog's word if it knows the app, else by the number that was given; nil if neither is there.
    package func page(in catalog: PreparedCatalog?) -> String? {
        (catalog?.appStoreID(of: app) ?? appStoreID).map(PromoApp.reviewURL)
    }
}
