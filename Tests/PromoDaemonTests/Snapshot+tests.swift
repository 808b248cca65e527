import PromoCore

extension Snapshot {
    /// The first catalog.
    var catalog: CatalogSnapshot { catalogs.first ?? none }
}
