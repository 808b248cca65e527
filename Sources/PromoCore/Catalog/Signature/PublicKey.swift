import Crypto
import FoundationEssentials

/// The public key of a publisher who signs catalogs: Ed25519 (RFC 8032), written as the 32 bytes in base64.
package struct PublicKey: Equatable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    /// Reads a key; nil if the text is not one.
    package init?(_ text: String) {
        guard let data = Data(base64Encoded: text), data.count == 32 else { return nil }
        bytes = Array(data)
    }

    init(_ key: Curve25519.Signing.PublicKey) {
        bytes = Array(key.rawRepresentation)
    }

    package var description: String { Data(bytes).base64EncodedString() }

    /// Whether a signature of some bytes was made with the private key.
    func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
        return key.isValidSignature(signature, for: message)
    }
}
