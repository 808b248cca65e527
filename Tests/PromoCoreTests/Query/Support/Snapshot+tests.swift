import PromoCore

extension Snapshot {
    /// The first catalog.
    var first: CatalogSnapshot {
        get { catalogs[0] }
        set { catalogs[0] = newValue }
    }
}
