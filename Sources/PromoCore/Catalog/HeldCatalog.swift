package import PromoWire

/// The catalog that is served, with the contents of its file.
package struct HeldCatalog: Sendable {
    package var catalog: PreparedCatalog
    /// Where it comes from.
    package let source: Freshness.Source
    /// The header and the bytes; nil if no origin sent it.
    package var contents: CatalogContents?
}

extension HeldCatalog {
    /// The catalog in some contents.
    /// - Throws: ``CatalogError``, with every finding if it breaks rules.
    package init(_ contents: CatalogContents) throws(CatalogError) {
        let catalog = PreparedCatalog(try AppCatalog(contents.bytes), generation: contents.header.generation)
        self.init(catalog: catalog, source: .origin, contents: contents)
    }

    package var generation: String { catalog.generation }
    /// When it was fetched or confirmed; nil if it was not fetched.
    package var fetchedAt: Timestamp? { contents?.header.fetchedAt }

    /// When the origin sent or confirmed it, perhaps to an intermediate cache; nil if it was not fetched.
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
        try? HeldCatalog(SampleCatalog.bytes, source: .sample)
    }

    /// A catalog that no origin sent.
    /// - Throws: ``CatalogError``, with every finding if it breaks rules.
    package init(_ bytes: [UInt8], source: Freshness.Source) throws(CatalogError) {
        let generation = Digest(of: bytes).short
        self.init(
            catalog: PreparedCatalog(try AppCatalog(bytes), generation: generation), source: source, contents: nil)
    }
}

/// The catalog that ships with promod, for a look around: five apps with made-up store numbers.
package enum SampleCatalog {
    /// The catalog's bytes.
    package static var bytes: [UInt8] { PackageResources.sample_json }

    /// The picture for the address of an icon, as if an origin had sent it.
    package static func reply(for iconURL: HTTPSURL) -> OriginReply {
        .body(picture(at: iconURL.normalized) ?? [], Validators())
    }

    private static func picture(at iconURL: String) -> [UInt8]? {
        switch iconURL {
        case "https://example.com/?icon=finebill": PackageResources.finebill_png
        case "https://example.com/?icon=bookary": PackageResources.bookary_png
        case "https://example.com/?icon=finepomo": PackageResources.finepomo_png
        case "https://example.com/?icon=stedio": PackageResources.stedio_png
        case "https://example.com/?icon=littory": PackageResources.littory_png
        default: nil
        }
    }
}
