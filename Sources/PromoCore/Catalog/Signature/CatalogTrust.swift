import PromoWire

/// Whose catalogs count.
package struct CatalogTrust: Equatable, Sendable {
    /// Every catalog counts, signed or not.
    package static let anyone = CatalogTrust(keys: [])

    let keys: [PublicKey]

    /// Only catalogs count that were signed with one of the keys; without keys, all count.
    package init(keys: [PublicKey]) {
        self.keys = keys
    }

    /// The catalog's signature; nil if every catalog counts.
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
