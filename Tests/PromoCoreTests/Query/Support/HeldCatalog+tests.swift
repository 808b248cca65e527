import PromoCore
import PromoWire
import Testing

extension HeldCatalog {
    /// A catalog that the origin itself sent at this time; the sample without one.
    init(_ catalog: PreparedCatalog, fetchedAt: Timestamp?) throws {
        if let fetchedAt {
            let url = try #require(HTTPSURL("https://example.com/c.json"))
            let contents = CatalogContents(SampleCatalog.bytes, of: url, validators: Validators(), at: fetchedAt)
            try self.init(contents)
        } else {
            self = try #require(.sample())
        }
        self.catalog = catalog
    }
}
