package import PromoWire

/// A signature that counts: who signed, when, and what.
package struct VerifiedSignature: Equatable, Sendable {
    /// The key that verified it.
    package let key: PublicKey
    /// When it was signed.
    package let signedAt: Timestamp
    /// Until when it is good, if the publisher has said so; after that the catalog counts as expired.
    package let expiresAt: Timestamp?
    /// The SHA-256 of what was signed, in hexadecimal.
    package let content: String
}
