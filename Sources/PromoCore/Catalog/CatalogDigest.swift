import CSodium
import PromoWire

/// A SHA-256, such as that of a catalog's bytes as the origin sent them.
package struct CatalogDigest: Equatable, Sendable {
    /// All 64 hexadecimal digits, in lower case.
    package let hexadecimal: String

    /// The digest of bytes.
    package init(of bytes: [UInt8]) {
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        // The library fills the array, and reads `bytes.count` bytes.
        unsafe crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        let digits = Array("0123456789abcdef".utf8)
        hexadecimal = String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The first 16 digits, by which replies identify a catalog's bytes, and the cache a catalog.
    package var short: String { String(hexadecimal.prefix(Self.shortLength)) }

    /// The length of ``short``.
    package static let shortLength = 16

    /// Whether a text may be a ``short`` digest.
    package static func isShort(_ text: String) -> Bool {
        text.utf8.count == shortLength && text.lowercased() == text && text.utf8.allSatisfy(\.isHexadecimalDigit)
    }
}
