import Crypto
import FoundationEssentials

/// The key with which a publisher signs catalogs, in the form of PKCS #8 (RFC 8410), which OpenSSL reads and writes too.
package struct PrivateKey: Sendable {
    private static let header = "-----BEGIN PRIVATE KEY-----"
    private static let footer = "-----END PRIVATE KEY-----"
    /// What stands before the 32 bytes of an Ed25519 key in DER.
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    private let key: Curve25519.Signing.PrivateKey

    /// A new key.
    package init() {
        key = Curve25519.Signing.PrivateKey()
    }

    /// Reads a key in PEM; nil if the text is not an Ed25519 key.
    package init?(pem: String) {
        let lines = pem.split(whereSeparator: \.isNewline)
        guard lines.first == Self.header[...], lines.last == Self.footer[...],
            let data = Data(base64Encoded: lines.dropFirst().dropLast().joined()), data.starts(with: Self.prefix),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: data.dropFirst(Self.prefix.count))
        else { return nil }
        self.key = key
    }

    /// The key in PEM.
    package var pem: String {
        "\(Self.header)\n\((Data(Self.prefix) + key.rawRepresentation).base64EncodedString())\n\(Self.footer)\n"
    }

    /// The key with which others check the signatures.
    package var publicKey: PublicKey { PublicKey(key.publicKey) }

    /// Signs some bytes.
    func signature(of message: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: message))
    }
}
