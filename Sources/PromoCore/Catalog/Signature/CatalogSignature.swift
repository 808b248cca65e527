package import PromoWire

/// The signature in a catalog, its member `"signature": {"signedAt": "…Z", "expiresAt": "…Z", "value": "…"}` (`expiresAt` is optional).
///
/// The signature is inside the document, so that no server and no cache can deliver one without the other, and readers that do not know
/// the member ignore it. The document is signed byte for byte, without the characters of `value`: nothing is normalised, so no two
/// readers can disagree about what was signed.
package struct CatalogSignature {
    /// When it was signed, in whole seconds.
    let signedAt: Timestamp
    /// When it expires; nil if it does not.
    package let expiresAt: Timestamp?
    /// Whether `expiresAt` is missing or a time.
    let isExpiryReadable: Bool
    /// The signature's bytes; nil if `value` is not well-formed.
    let value: [UInt8]?
    /// The bytes that are signed.
    let message: [UInt8]

    /// The first line of the message, so that a signature for another purpose is not valid here.
    private static let context = Array("promod catalog signature 1\n".utf8)

    /// Finds the signature in a document; nil if there is none.
    init?(_ document: JSONDocument) {
        guard let object = document.root["signature"], let value = object["value"],
            let text = value.outsideText, let signedAt = object["signedAt"]?.time
        else { return nil }
        self.signedAt = signedAt
        expiresAt = object["expiresAt"]?.time
        isExpiryReadable = object["expiresAt"] == nil || expiresAt != nil
        let quoted = value.text
        // The same bytes with escapes or in lax base64 would make another document with the same signature.
        self.value = text.ascii(upTo: 128).flatMap(Base64.decode).flatMap { bytes in
            bytes.count == 64 && Base64.encode(bytes).elementsEqual(quoted.dropFirst().dropLast()) ? bytes : nil
        }
        message = Self.context + document.bytes[...quoted.startIndex] + document.bytes[(quoted.endIndex - 1)...]
    }

    /// Signs a catalog, and replaces its signature if it has one.
    /// - Parameter expiry: when the signature expires; nil if it does not.
    /// - Throws: ``CatalogError`` if the bytes are not strict JSON.
    package static func sign(
        _ bytes: [UInt8], with key: PrivateKey, at time: Timestamp, until expiry: Timestamp? = nil
    ) throws -> [UInt8] {
        var document = try CatalogText(bytes).document
        let mark = bytes.prefix(bytes.count - document.bytes.count)
        var text = document.bytes
        let end = expiry.map { #""expiresAt": "\#($0.rfc3339)", "# } ?? ""
        let value = Array(#"{"signedAt": "\#(time.rfc3339)", \#(end)"value": ""}"#.utf8)
        if let old = document.root["signature"] {
            // The blanks after the colon are replaced too, so that the member is always written in the same way.
            let colon = text[..<old.text.startIndex].lastIndex(of: UInt8(ascii: ":")) ?? old.text.startIndex - 1
            text.replaceSubrange((colon + 1)..<old.text.endIndex, with: Array(" ".utf8) + value)
        } else {
            let blanks = text[..<(document.root.text.endIndex - 1)].reversed().prefix { $0 <= 0x20 }.count
            let isEmpty = document.root.members.first { _ in true } == nil
            text.insert(
                contentsOf: (isEmpty ? [] : [UInt8(ascii: ",")] + Self.separator(in: text))
                    + Array("\"signature\": ".utf8) + value,
                at: document.root.text.endIndex - 1 - blanks)
        }
        document = try CatalogText(text).document
        guard let unsigned = CatalogSignature(document), let place = document.root["signature"]?["value"]?.offset else {
            throw CatalogError.signature("The catalog is not an object, so it cannot have a signature.")
        }
        text.insert(contentsOf: Base64.encode(key.signature(of: unsigned.message)), at: place + 1)
        return mark + text
    }

    /// The line break and indentation before a catalog's first member; a space if there is no line break.
    private static func separator(in text: [UInt8]) -> [UInt8] {
        let start = (text.firstIndex(of: UInt8(ascii: "{")) ?? -1) + 1
        let blanks = text[start...].prefix { $0 <= 0x20 }
        return blanks.contains(UInt8(ascii: "\n")) ? Array(blanks) : [UInt8(ascii: " ")]
    }
}
