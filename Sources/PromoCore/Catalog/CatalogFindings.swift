package import PromoWire

/// Collects findings. Their number is limited here, and the size of each by shortening the names and values in it.
struct CatalogFindings {
    /// The maximum number of findings: 5 MiB of `{},` would make ten million.
    static let maximumCount = 1000

    private var entries: [(pointer: String, offset: Int, message: String)] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Whether no more findings are kept, so that the search for them can end.
    var isFull: Bool { entries.count == Self.maximumCount }

    mutating func add(_ message: String, at spot: CatalogSpot) {
        switch entries.count {
        case ..<(Self.maximumCount - 1): entries.append((spot.pointer, spot.offset, message))
        case Self.maximumCount - 1: entries.append(("", 0, "There are more findings, which are not listed."))
        default: break
        }
    }

    /// The findings with their lines and columns.
    func located(in document: JSONDocument) -> [CatalogFinding] {
        zip(entries, document.positions(of: entries.map(\.offset))).map { entry, position in
            CatalogFinding(pointer: entry.pointer, position: position, message: entry.message)
        }
    }
}

/// A broken rule or a probable mistake at a spot of a catalog.
package struct CatalogFinding: Equatable, Sendable, CustomStringConvertible {
    /// The spot, as a JSON Pointer (RFC 6901) in which long names are shortened; empty for the whole text.
    package let pointer: String
    /// The spot's line and column, counted after the byte order mark if there is one.
    package let position: TextPosition
    /// The message, in whole sentences.
    package let message: String

    package var description: String {
        "\(pointer.isEmpty ? "(root)" : pointer): \(message)"
    }
}
