package import PromoWire

/// An attempt to fetch a picture that has begun and not ended. It is on disk meanwhile, so that the next start knows of it if promod
/// crashes.
package struct IconAttempt: Equatable, Sendable {
    /// The size of the largest file of an attempt, in bytes.
    package static let maximumSize = 2 * HTTPSURL.maximumLength

    /// The address of the picture, as the catalog writes it.
    package let text: String
    /// When the attempt began.
    package let beganAt: Timestamp

    /// An attempt that begins now.
    package init(_ text: String, now: Timestamp) {
        self.text = text
        beganAt = now
    }
}

extension IconAttempt {
    /// The contents of the file: when it began, in whole seconds, and the address.
    package var fileBytes: [UInt8] { Array("\(beganAt.rfc3339) \(text)\n".utf8) }

    /// Reads what ``fileBytes`` wrote; nil for anything else.
    package init?(fileBytes: [UInt8]) {
        guard fileBytes.last == UInt8(ascii: "\n"),
            let line = OutsideText(fileBytes.dropLast()).ascii(upTo: Self.maximumSize)
        else { return nil }
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let beganAt = Timestamp(rfc3339: String(parts[0])),
            HTTPSURL(String(parts[1])) != nil
        else { return nil }
        self.init(String(parts[1]), now: beganAt)
    }
}
