/// The picture formats that promod stores. SVG is not among them, because it can contain scripts.
package enum IconFormat: String, CaseIterable, Sendable {
    case png
    case jpeg
    case webp

    /// Recognises a picture's format by its first bytes; nil for any other format.
    package init?(_ bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(12))
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }

    /// The media type.
    package var mediaType: String { "image/\(rawValue)" }

    /// The media types of all formats, as the value of an `Accept` header.
    package static let accepted = allCases.map(\.mediaType).joined(separator: ", ")
}
