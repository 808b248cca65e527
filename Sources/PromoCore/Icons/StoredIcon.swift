package import PromoWire

/// A stored picture: its file, and what the origin sent with it.
package struct StoredIcon: Equatable, Sendable {
    /// The first 32 hexadecimal digits of the SHA-256 of its bytes, which name its file.
    package let digest: String
    package let format: IconFormat
    /// Its size in bytes.
    package let size: Int
    /// The validators that came with it.
    package var validators: Validators
    /// When the origin sent or confirmed it.
    package var fetchedAt: Timestamp

    /// The name of its file, which the catalog cannot choose.
    package var fileName: String { "\(digest).\(format.rawValue)" }

    /// Whether a name has the form of ``fileName``.
    package static func isFileName(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && isDigest(parts[0]) && IconFormat(rawValue: String(parts[1])) != nil
    }

    private static func isDigest(_ text: some StringProtocol) -> Bool {
        text.utf8.count == digestLength && text.utf8.allSatisfy { hexadecimal.contains($0) }
    }

    private static let digestLength = 32
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// Describes a picture that an origin has sent.
    /// - Throws: ``Failure`` if its bytes are not a whole picture in one of the formats.
    package init(_ bytes: [UInt8], of url: HTTPSURL, validators: Validators, fetchedAt: Timestamp) throws(Failure) {
        format = try IconFormat(of: bytes, at: url)
        self.validators = validators
        self.fetchedAt = fetchedAt
        digest = Self.digest(of: bytes)
        size = bytes.count
    }

    /// Whether the bytes are this picture.
    package func matches(_ bytes: [UInt8]) -> Bool { bytes.count == size && Self.digest(of: bytes) == digest }

    private static func digest(of bytes: [UInt8]) -> String {
        String(CatalogDigest(of: bytes).hexadecimal.prefix(digestLength))
    }
}

extension StoredIcon {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("digest", digest)
        writer.member("format", format.rawValue)
        writer.member("size", size)
        validators.writeMembers(to: &writer)
        writer.member("fetchedAt", fetchedAt)
    }

    init?(_ json: JSONValue) {
        guard let digest = json["digest"]?.ascii(upTo: Self.digestLength), Self.isDigest(digest),
            let format: IconFormat = json["format"]?.word(),
            let size = json["size"]?.integer, 1...IconBook.maximumSize ~= size,
            let fetchedAt = json["fetchedAt"]?.time
        else { return nil }
        self.digest = digest
        self.format = format
        self.size = size
        self.fetchedAt = fetchedAt
        validators = Validators(json)
    }
}
