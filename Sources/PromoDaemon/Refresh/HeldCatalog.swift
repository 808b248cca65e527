import PromoCore
import PromoWire

/// The catalog that is served, with what its file says of it.
struct HeldCatalog {
    var catalog: PreparedCatalog
    /// Header and bytes; nil for the sample, which has no origin.
    var contents: CatalogFile.Contents?
    /// Whether it lies on disk as it is here.
    var isStored: Bool

    var generation: String { catalog.generation }
    /// When the origin sent or confirmed it; nil for the sample.
    var fetchedAt: Timestamp? { contents?.header.fetchedAt }

    /// The catalog that ships with promod.
    static func sample() -> HeldCatalog? {
        let bytes = SampleCatalog.bytes
        guard let catalog = try? AppCatalog(bytes) else { return nil }
        let generation = CatalogDigest(of: bytes).generation
        return HeldCatalog(catalog: PreparedCatalog(catalog, generation: generation), contents: nil, isStored: false)
    }
}
