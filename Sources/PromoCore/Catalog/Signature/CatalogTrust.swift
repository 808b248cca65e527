package import PromoWire

/// A verified signature: who signed what, and when.
package struct VerifiedSignature: Equatable, Sendable {
    /// The key that verified it.
    package let key: PublicKey
    package let signedAt: Timestamp
    /// When the signature expires, and the catalog with it; nil if it does not.
    package let expiresAt: Timestamp?
    /// The SHA-256 of the signed bytes, in hexadecimal.
    package let content: String
}

/// The trusted keys, one of which must have signed a catalog.
package struct CatalogTrust: Equatable, Sendable {
    /// Accepts every catalog, signed or not.
    package static let anyone = CatalogTrust(keys: [])

    let keys: [PublicKey]

    /// Requires a signature by one of the keys; without keys, accepts every catalog.
    package init(keys: [PublicKey]) {
        self.keys = keys
    }

    /// Verifies the catalog's signature; nil if none is required.
    /// - Throws: ``CatalogError`` if it has no good signature.
    package func check(_ text: CatalogText) throws(CatalogError) -> VerifiedSignature? {
        guard !keys.isEmpty else { return nil }
        guard let signature = CatalogSignature(text.document) else {
            throw .signature("The catalog is not signed, and catalog.public-key requires a signature.")
        }
        guard let value = signature.value else {
            throw .signature(
                "The catalog's signature is not valid: its value must be 64 bytes in base64, exactly as \"promod sign\" writes them."
            )
        }
        guard signature.isExpiryReadable else {
            throw .signature(
                "The catalog's signature is not valid: its expiresAt must be a time such as 2026-12-31T00:00:00Z.")
        }
        guard let key = keys.first(where: { $0.isValid(value, of: signature.message) }) else {
            throw .signature(
                "The catalog's signature was made with no key of catalog.public-key, or the catalog was changed after it."
            )
        }
        return VerifiedSignature(
            key: key, signedAt: signature.signedAt, expiresAt: signature.expiresAt,
            content: CatalogDigest(of: signature.message).hexadecimal)
    }
}
