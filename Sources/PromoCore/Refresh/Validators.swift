package import PromoWire

/// The validators that came with a catalog's bytes, with which a request asks whether the catalog has changed.
package struct Validators: Equatable, Sendable {
    package var etag: OutsideText?
    package var lastModified: OutsideText?
    /// The address that sent them after a redirect, without its query, which has a new signature each day; nil for the address of the
    /// request itself. They say nothing about what another address has (RFC 9111 §4.3).
    package var address: String?
    /// Where the address of the request has moved for good, without user, password or query; nil if it has not. It is not stored here.
    package var movedTo: String?

    /// Creates validators.
    package init(etag: OutsideText? = nil, lastModified: OutsideText? = nil, address: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
        self.address = address
    }

    /// The maximum length of a validator in bytes, because it is stored on disk and sent with each request.
    package static let maximumLength = 1024

    /// Creates validators from a response or from the cache, without those that are too long or cannot be sent back unchanged.
    package init(received etag: OutsideText?, lastModified: OutsideText?, address: String? = nil) {
        func usable(_ value: OutsideText?) -> OutsideText? {
            value.flatMap { $0.bytes.count <= Self.maximumLength && !$0.isEmpty && isSendable($0) ? $0 : nil }
        }
        // Bytes that are not valid UTF-8 have become U+FFFD.
        func isSendable(_ value: OutsideText) -> Bool {
            value.bytes.allSatisfy(isHeaderByte) && !value.text.unicodeScalars.contains("\u{FFFD}")
        }
        func isHeaderByte(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\t") || byte >= 0x20 && byte != 0x7F }
        // In If-None-Match an asterisk matches any catalog, so none would be fetched again.
        self.init(
            etag: usable(etag).flatMap { $0 == "*" ? nil : $0 },
            lastModified: usable(lastModified), address: address)
    }

    init(_ json: JSONValue) {
        self.init(
            received: json["etag"]?.outsideText, lastModified: json["lastModified"]?.outsideText,
            address: json["address"]?.ascii(upTo: HTTPSURL.maximumLength))
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.member("etag", etag)
        writer.member("lastModified", lastModified)
        if let address { writer.member("address", address) }
    }

    /// Whether there is no validator.
    package var isEmpty: Bool { etag == nil && lastModified == nil }
}
