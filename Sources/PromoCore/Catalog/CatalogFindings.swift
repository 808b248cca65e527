import PromoWire

/// Collects findings. They are bounded in number here, and each in bytes by the names and values being cut short.
struct CatalogFindings {
    /// What is kept of a catalog that is nothing but wrong: 5 MiB of `{},` would make ten million findings.
    static let maximumCount = 1000

    private var entries: [(pointer: String, offset: Int, message: String)] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Whether no more is kept, and looking for more is no use.
    var isFull: Bool { entries.count == Self.maximumCount }

    mutating func add(_ message: String, at spot: CatalogSpot) {
        switch entries.count {
        case ..<(Self.maximumCount - 1): entries.append((spot.pointer, spot.offset, message))
        case Self.maximumCount - 1: entries.append(("", 0, "More was found, and it is not listed."))
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
