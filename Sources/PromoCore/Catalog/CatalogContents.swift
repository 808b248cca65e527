package import PromoWire

/// A catalog's bytes as the origin sent them, with a header.
package struct CatalogContents: Equatable, Sendable {
    /// Facts about the bytes.
    package struct Header: Equatable, Sendable {
        /// The normalised URL that the bytes came from.
        package var url: String
        /// The validators that came with the bytes.
        package var validators: Validators
        package var fetchedAt: Timestamp
        /// The response's age in HTTP caches at that time.
        package var age = Duration.zero
        /// The SHA-256 of the bytes in hexadecimal.
        package var sha256: String

        /// When the origin sent or confirmed the bytes.
        var originAt: Timestamp { fetchedAt - age }

        /// The generation of the catalog in the bytes.
        package var generation: String { String(sha256.prefix(16)) }
    }

    package var header: Header
    package var bytes: [UInt8]

    /// The greatest age in caches that is believed.
    package static let longestAge = Duration.seconds(365 * 86_400)
}

extension CatalogContents {
    /// The bytes that an origin sent, with a header made from them.
    package init(_ bytes: [UInt8], of url: HTTPSURL, validators: Validators, at fetchedAt: Timestamp) {
        self.init(
            header: Header(
                url: url.normalized, validators: validators, fetchedAt: fetchedAt,
                sha256: Digest(of: bytes).hexadecimal), bytes: bytes)
    }
}

extension CatalogContents {
    /// The error for a file that is not as it was written.
    package struct Damage: Error, Equatable, Sendable {
        /// The problem, as a clause in which "it" is the file.
        package let reason: String
    }

    /// The number of the file's format.
    package static let format = 1

    /// The maximum length of the header in bytes; an address and validators take less.
    package static let maximumHeader = 1 << 16

    /// The contents of the file in which a catalog is stored: a header of one line of JSON, and the catalog's bytes.
    package var fileParts: [[UInt8]] {
        let line = JSONWriter.line { writer in
            writer.member("format", Self.format)
            writer.member("url", header.url)
            header.validators.writeMembers(to: &writer)
            writer.member("fetchedAt", header.fetchedAt)
            if header.age > .zero { writer.member("age", Int(header.age.components.seconds)) }
            writer.member("sha256", header.sha256)
            writer.member("bytes", bytes.count)
        }
        return [line, bytes]
    }

    /// Reads the ``fileParts`` from a file, and checks the catalog's bytes against the header.
    /// - Throws: ``Damage`` if they do not match, or the header has another form.
    package init(fileBytes file: consuming [UInt8]) throws(Damage) {
        guard let end = file.firstIndex(of: UInt8(ascii: "\n")),
            let root = try? JSONDocument(Array(file[..<end]), maximumDepth: 4).root
        else { throw Damage(reason: "its first line is not a JSON header") }
        guard root["format"]?.integer == Self.format else { throw Damage(reason: "its format is not \(Self.format)") }
        guard let url = root["url"]?.ascii(upTo: HTTPSURL.maximumLength),
            let sha256 = root["sha256"]?.ascii(upTo: 64), let count = root["bytes"]?.integer,
            let fetchedAt = root["fetchedAt"]?.time
        else { throw Damage(reason: "its header lacks a member") }
        // In place, so that a large catalog is not in memory twice.
        var bytes = file
        bytes.removeSubrange(...end)
        guard bytes.count == count else {
            throw Damage(reason: "it has \(bytes.count) bytes of a catalog, but its header says \(count)")
        }
        guard Digest(of: bytes).hexadecimal == sha256 else {
            throw Damage(reason: "its bytes do not match their SHA-256")
        }
        var header = Header(url: url, validators: Validators(root), fetchedAt: fetchedAt, sha256: sha256)
        header.age = min(max(.seconds(root["age"]?.integer ?? 0), .zero), CatalogContents.longestAge)
        self.init(header: header, bytes: bytes)
    }
}
