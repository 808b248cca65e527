import PromoWire

/// Collects at most ``maximumCount`` findings; each is short, because long names and values in it are cut.
struct CatalogFindings {
    /// The maximum number of findings; 5 MiB of `{},` would cause ten million.
    static let maximumCount = 1000

    private var entries: [(pointer: String, offset: Int, message: String)] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Whether further findings are dropped, so that the search can stop.
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
            CatalogFinding(position: position, pointer: entry.pointer, message: entry.message)
        }
    }
}
