package import PromoWire

/// Whose catalogs count.
package struct CatalogTrust: Equatable, Sendable {
    /// Every catalog counts, signed or not.
    package static let anyone = CatalogTrust(keys: [])

    private let keys: [PublicKey]

    /// Only catalogs count that were signed with one of the keys; without keys, all count.
    package init(keys: [PublicKey]) {
        self.keys = keys
    }

    /// When the catalog was signed; nil if every catalog counts.
    /// - Throws: ``CatalogError`` if it has no good signature.
    package func check(_ text: CatalogText) throws(CatalogError) -> Timestamp? {
        guard !keys.isEmpty else { return nil }
        guard let signature = CatalogSignature(text.document) else {
            throw .signature("The catalog is not signed, and catalog.public-key requires a signature.")
        }
        guard keys.contains(where: { $0.isValid(signature.value, of: signature.message) }) else {
            throw .signature(
                "The catalog's signature was made with no key of catalog.public-key, or the catalog was changed after it."
            )
        }
        return signature.signedAt
    }
}
