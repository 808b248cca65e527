import CSodium

/// A publisher's public key: Ed25519 (RFC 8032), written as its 32 bytes in base64.
package struct PublicKey: Equatable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    /// Reads a key; nil if the text is not one.
    package init?(_ text: String) {
        guard let bytes = Base64.decode(text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var description: String { Base64.text(bytes) }

    /// Whether a signature of a message was made with the private key.
    func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == Int(crypto_sign_BYTES) else { return false }
        // The library reads a signature and a key of their fixed sizes, and `message.count` bytes.
        return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), bytes) == 0
    }
}
