import CSodium

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
