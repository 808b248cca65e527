import CSodium
package import PromoWire

/// A publisher's private key, stored as PKCS #8 (RFC 8410), which OpenSSL reads and writes too.
package struct PrivateKey: Sendable {
    private static let header = "-----BEGIN PRIVATE KEY-----"
    private static let footer = "-----END PRIVATE KEY-----"
    private static let seedSize = Int(crypto_sign_SEEDBYTES)
    /// The DER of an Ed25519 key up to its 32 bytes.
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    /// The 32 bytes of RFC 8032 from which the rest is derived.
    private let seed: [UInt8]
    /// The seed and the public key, in the form with which the library signs.
    private let pair: [UInt8]
    /// The key that verifies the signatures.
    package let publicKey: PublicKey

    /// Creates a random key.
    package init() {
        var random = SystemRandomNumberGenerator()
        self.init(seed: (0..<Self.seedSize).map { _ in random.next() })
    }

    private init(seed: [UInt8]) {
        var (open, pair) = (
            [UInt8](repeating: 0, count: Int(crypto_sign_PUBLICKEYBYTES)),
            [UInt8](repeating: 0, count: Int(crypto_sign_SECRETKEYBYTES))
        )
        // The library fills both arrays, and reads a seed of its fixed size.
        unsafe crypto_sign_seed_keypair(&open, &pair, seed)
        self.seed = seed
        self.pair = pair
        publicKey = PublicKey(open)
    }

    /// Reads a key in PEM; nil if the text is not an Ed25519 key.
    package init?(pem: OutsideText) {
        // A line has at most 64 characters, and an Ed25519 key is one line.
        let lines = pem.bytes.split { $0 == 0x0A || $0 == 0x0D }.prefix(4).map { OutsideText($0).ascii(upTo: 64) ?? "" }
        guard lines.first == Self.header, lines.last == Self.footer,
            let data = Base64.decode(lines.dropFirst().dropLast().joined()), data.starts(with: Self.prefix),
            data.count == Self.prefix.count + Self.seedSize
        else { return nil }
        self.init(seed: Array(data.dropFirst(Self.prefix.count)))
    }

    /// The key in PEM.
    package var pem: String {
        "\(Self.header)\n\(Base64.text(Self.prefix + seed))\n\(Self.footer)\n"
    }

    func signature(of message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Int(crypto_sign_BYTES))
        // The library fills the array, and reads a pair of its fixed size and `message.count` bytes.
        unsafe crypto_sign_detached(&signature, nil, message, UInt64(message.count), pair)
        return signature
    }
}
