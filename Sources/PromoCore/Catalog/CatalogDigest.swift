import Crypto

/// The SHA-256 of a catalog's bytes as the origin sent them.
package struct CatalogDigest: Equatable, Sendable {
    /// All 64 hexadecimal digits, in lower case.
    package let hexadecimal: String

    /// The digest of bytes.
    package init(of bytes: [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        hexadecimal = String(
            decoding: SHA256.hash(data: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The catalog's generation, by which replies name its content: the first 16 digits.
    package var generation: String { String(hexadecimal.prefix(16)) }
}
