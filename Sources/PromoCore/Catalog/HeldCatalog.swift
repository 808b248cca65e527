package import PromoWire

/// The catalog that is served, with the contents of its file.
package struct HeldCatalog: Sendable {
    package var catalog: PreparedCatalog
    /// The header and the bytes; nil for the sample, which has no origin.
    package var contents: CatalogContents?
    /// Whether the file on disk has these contents.
    package var isStored: Bool
}

extension HeldCatalog {
    /// The catalog in some contents.
    /// - Throws: ``CatalogError``, with every finding if it breaks rules.
    package init(_ contents: CatalogContents, isStored: Bool) throws(CatalogError) {
        let catalog = PreparedCatalog(try AppCatalog(contents.bytes), generation: contents.header.generation)
        self.init(catalog: catalog, contents: contents, isStored: isStored)
    }

    package var generation: String { catalog.generation }
    /// When it was fetched or confirmed; nil for the sample.
    package var fetchedAt: Timestamp? { contents?.header.fetchedAt }

    /// When the origin sent or confirmed it, perhaps to a cache on the way; nil for the sample.
    package var originAt: Timestamp? { contents?.header.originAt }

    /// The same bytes were sent or confirmed again; ``originAt`` never goes back.
    mutating func confirm(age: Duration, now: Timestamp) {
        let known = originAt.map { max(min(age, now - $0), .zero) } ?? age
        contents?.header.age = known
        contents?.header.fetchedAt = now
    }

    /// Whether the bytes came with this ETag, by weak comparison (RFC 9110 §8.8.3.2).
    func hasETag(_ etag: OutsideText) -> Bool {
        func opaque(_ tag: OutsideText) -> ArraySlice<UInt8> {
            tag.bytes.dropFirst(tag.bytes.starts(with: "W/".utf8) ? 2 : 0)
        }
        return contents?.header.validators.etag.map { opaque($0) == opaque(etag) } ?? false
    }

    /// The catalog that ships with promod.
    package static func sample() -> HeldCatalog? {
        let bytes = SampleCatalog.bytes
        guard let catalog = try? AppCatalog(bytes) else { return nil }
        let generation = CatalogDigest(of: bytes).generation
        return HeldCatalog(catalog: PreparedCatalog(catalog, generation: generation), contents: nil, isStored: false)
    }
}
