import PromoWire

/// The mistakes that people make most often in a file of JSON, which are named as what they are.
package enum CommonMistake: String, Sendable {
    case wideUnits = "UTF-16 or UTF-32, in which some editors save text; save it as UTF-8"
    case gzip = "compressed by gzip, without the header \"Content-Encoding: gzip\""
    case comment = "a comment, which JSON does not allow"
    case curlyQuote = "a curly quote, as word processors write it, in place of a straight one (\")"
    case singleQuote = "a single quote in place of a double one (\")"
    case trailingComma = "a comma after the last element, which JSON does not allow"

    /// The mistake behind an error in a text; nil if it is none of these.
    init?(_ error: JSONError, in text: [UInt8]) {
        // The first character is ASCII; UTF-16 writes it with one NUL, and UTF-32 with three.
        let isWide = text.prefix(4).contains(0) && text.prefix(4).contains { $0 != 0 }
        if text.starts(with: [0x1F, 0x8B]) {
            self = .gzip
            return
        }
        if isWide || text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) {
            self = .wideUnits
            return
        }
        if error.problem == .trailingComma {
            self = .trailingComma
            return
        }
        let wrong = Array(text[min(error.offset, text.count)...].prefix(3))
        switch (wrong.first, wrong.dropFirst().first) {
        case (UInt8(ascii: "#"), _), (UInt8(ascii: "/"), UInt8(ascii: "/")), (UInt8(ascii: "/"), UInt8(ascii: "*")):
            self = .comment
        case (UInt8(ascii: "'"), _): self = .singleQuote
        case (0xE2, 0x80) where wrong.count == 3 && 0x98...0x9F ~= wrong[2]: self = .curlyQuote
        default: return nil
        }
    }
}
