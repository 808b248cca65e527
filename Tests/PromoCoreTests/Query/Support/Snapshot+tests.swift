import PromoCore

extension Snapshot {
    /// A snapshot with one catalog.
    init(catalog: CatalogSnapshot) {
        self.init()
        catalogs = [catalog]
    }

    /// The first catalog.
    var first: CatalogSnapshot {
        get { catalogs[0] }
        set { catalogs[0] = newValue }
    }
}
