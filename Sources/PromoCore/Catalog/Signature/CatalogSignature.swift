package import PromoWire

/// The signature in a catalog: its member `"signature": {"signedAt": "…Z", "expiresAt": "…Z", "value": "…"}`, of which `expiresAt`
/// may be missing.
///
/// It is inside the document, so that no server and no cache can deliver the one without the other, and every reader that does not
/// know it ignores it. What is signed is the document byte for byte, without the characters of `value`: nothing is normalised, so
/// no two readers can disagree about what was signed.
package struct CatalogSignature {
    /// When it was signed, whole seconds.
    let signedAt: Timestamp
    /// Until when it is good; nil if it has no end.
    package let expiresAt: Timestamp?
    /// Whether `expiresAt` is a time or missing.
    let isExpiryReadable: Bool
    /// The signature; nil if `value` is not one.
    let value: [UInt8]?
    /// What is signed.
    let message: [UInt8]

    /// The first line of what is signed, so that no signature for another purpose counts here.
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
        // Other spellings of the same bytes, such as with escapes or in lax base64, would be other documents with the same signature.
        self.value = text.ascii(upTo: 128).flatMap(Base64.decode).flatMap { bytes in
            bytes.count == 64 && Base64.encode(bytes).elementsEqual(quoted.dropFirst().dropLast()) ? bytes : nil
        }
        message = Self.context + document.bytes[...quoted.startIndex] + document.bytes[(quoted.endIndex - 1)...]
    }

    /// Signs a catalog, which may have a signature already.
    /// - Parameter expiry: until when the signature is good; nil for one without an end.
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
            // With the blanks behind the colon, so that the member is always written in the same way.
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
            throw CatalogError.signature("The catalog is no object, so it cannot hold a signature.")
        }
        text.insert(contentsOf: Base64.encode(key.signature(of: unsigned.message)), at: place + 1)
        return mark + text
    }

    /// What a catalog writes between its first brace and its first member: a line and its indentation, or nothing.
    private static func separator(in text: [UInt8]) -> [UInt8] {
        let start = (text.firstIndex(of: UInt8(ascii: "{")) ?? -1) + 1
        let blanks = text[start...].prefix { $0 <= 0x20 }
        return blanks.contains(UInt8(ascii: "\n")) ? Array(blanks) : [UInt8(ascii: " ")]
    }
}
