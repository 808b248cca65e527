package import PromoWire

/// The picture formats that promod stores. SVG is not among them, because it can contain scripts.
package enum IconFormat: String, CaseIterable, Sendable {
    case png
    case jpeg
    case webp

    /// Recognises the format of a picture; fails unless it is whole, and every client can draw it.
    package init(of bytes: [UInt8], at url: HTTPSURL) throws(Failure) {
        do throws(PictureBytes.Flaw) { self = try PictureBytes(bytes: bytes).format() } catch {
            throw Failure(.schema, "\(url.brief) \(error.rawValue).")
        }
    }

    /// The media type.
    package var mediaType: String { "image/\(rawValue)" }

    /// The media types of all formats, as the value of an `Accept` header.
    package static let accepted = allCases.map(\.mediaType).joined(separator: ", ")
}
