/// The validators that came with a catalog's bytes, with which the origin can be asked whether the catalog has changed.
package struct Validators: Equatable, Sendable {
    package var etag: String?
    package var lastModified: String?

    /// Creates validators.
    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// The length of the longest validator, in bytes. A validator is stored on disk and sent with each request.
    package static let maximumLength = 1024

    /// Creates validators from an origin's response or from the cache, without those that are too long or cannot be sent in a header.
    package init(received etag: String?, lastModified: String?) {
        func usable(_ value: String?) -> String? {
            value.flatMap { $0.utf8.count <= Self.maximumLength && $0.utf8.allSatisfy(isHeaderByte) ? $0 : nil }
        }
        func isHeaderByte(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\t") || byte >= 0x20 && byte != 0x7F }
        self.init(etag: usable(etag), lastModified: usable(lastModified))
    }

    /// Whether there is no validator.
    package var isEmpty: Bool { etag == nil && lastModified == nil }
}
