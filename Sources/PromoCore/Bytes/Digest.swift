import CSodium

/// A SHA-256, such as that of a catalog's bytes as the origin sent them.
package struct Digest: Equatable, Sendable {
    /// All 64 hexadecimal digits, in lower case.
    package let hexadecimal: String

    /// The digest of bytes.
    package init(of bytes: [UInt8]) {
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        // The library fills the array, and reads `bytes.count` bytes.
        unsafe crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        hexadecimal = String(
            decoding: hash.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The first 16 digits, by which replies identify a catalog's bytes, and the cache a catalog.
    package var short: String { String(hexadecimal.prefix(Self.shortLength)) }

    /// The length of ``short``.
    package static let shortLength = 16

    /// Whether a text may be the first digits of a digest, by default a ``short`` one.
    package static func isDigits(_ text: some StringProtocol, count: Int = shortLength) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy(digits.contains)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

/// The base64 of RFC 4648, with padding.
package enum Base64 {
    /// Encodes bytes as ASCII.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        let size = sodium_base64_encoded_len(bytes.count, sodium_base64_VARIANT_ORIGINAL)
        var text = [CChar](repeating: 0, count: size)
        // Both buffers are passed with their sizes, and the library ends the text with a NUL.
        _ = unsafe sodium_bin2base64(&text, size, bytes, bytes.count, sodium_base64_VARIANT_ORIGINAL)
        return text.dropLast().map(UInt8.init(bitPattern:))
    }

    /// Encodes bytes as a string.
    package static func text(_ bytes: [UInt8]) -> String { String(decoding: encode(bytes), as: UTF8.self) }
}
