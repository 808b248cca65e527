package import PromoWire

/// A catalog's bytes as the origin sent them, with a header.
package struct CatalogContents: Equatable, Sendable {
    /// Facts about the bytes.
    package struct Header: Equatable, Sendable {
        /// The normalised URL that the bytes came from.
        package var url: String
        /// The validators that came with the bytes.
        package var validators: Validators
        package var fetchedAt: Timestamp
        /// The response's age in HTTP caches at that time.
        package var age = Duration.zero
        /// The SHA-256 of the bytes in hexadecimal.
        package var sha256: String

        /// When the origin sent or confirmed the bytes.
        var originAt: Timestamp { fetchedAt - age }

        /// The generation of the catalog in the bytes.
        package var generation: String { String(sha256.prefix(16)) }
    }

    package var header: Header
    package var bytes: [UInt8]

    /// The greatest age in caches that is believed.
    package static let longestAge = Duration.seconds(365 * 86_400)
}

extension CatalogContents {
    /// The bytes that an origin sent, with a header made from them.
    package init(_ bytes: [UInt8], of url: HTTPSURL, validators: Validators, at fetchedAt: Timestamp) {
        self.init(
            header: Header(
                url: url.normalized, validators: validators, fetchedAt: fetchedAt,
                sha256: CatalogDigest(of: bytes).hexadecimal), bytes: bytes)
    }
}
