package import PromoWire

/// An attempt to fetch a picture that has begun and not ended. It is on disk meanwhile, so that the next start knows of it if promod
/// crashes.
package struct IconAttempt: Equatable, Sendable {
    /// The size of the largest file of an attempt, in bytes.
    package static let maximumSize = 2 * HTTPSURL.maximumLength

    /// The address of the picture, without user, password and query.
    package let address: String
    /// When the attempt began.
    package let beganAt: Timestamp

    /// An attempt that begins now.
    package init(_ url: HTTPSURL, now: Timestamp) {
        address = url.description
        beganAt = now
    }
}

extension IconAttempt {
    /// The contents of the file: when it began, in whole seconds, and the address.
    package var fileBytes: [UInt8] { Array("\(beganAt.rfc3339) \(address)\n".utf8) }

    /// Reads what ``fileBytes`` wrote; nil for anything else.
    package init?(fileBytes: [UInt8]) {
        guard let text = String(validating: fileBytes, as: UTF8.self), text.last == "\n" else { return nil }
        let parts = text.dropLast().split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let beganAt = Timestamp(rfc3339: String(parts[0])), let url = HTTPSURL(String(parts[1]))
        else { return nil }
        self.init(url, now: beganAt)
    }
}
