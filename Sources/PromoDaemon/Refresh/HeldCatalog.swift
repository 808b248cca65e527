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

    /// Whether the bytes came with that ETag, by the weak comparison of RFC 9110.
    func hasETag(_ etag: String) -> Bool {
        func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
        return contents?.header.validators.etag.map { opaque($0) == opaque(etag) } ?? false
    }

    /// The catalog that ships with promod.
    static func sample() -> HeldCatalog? {
        let bytes = SampleCatalog.bytes
        guard let catalog = try? AppCatalog(bytes) else { return nil }
        let generation = CatalogDigest(of: bytes).generation
        return HeldCatalog(catalog: PreparedCatalog(catalog, generation: generation), contents: nil, isStored: false)
    }
}
