import PromoWire

/// Caches, until the next publication, the positions of the apps that records leave out of lists, of which there may be thousands, and the
/// last selection without them. Replies to equal requests share the selection.
struct RecordedApps: Sendable {
    /// The rule by which apps of a catalog are left out because of their records.
    struct Rule: Hashable {
        let catalog: String
        let unlaunched: Bool
        let hidden: HiddenApps
    }

    /// Everything that a selection depends on.
    struct Key: Equatable {
        let serial: Int
        let rule: Rule
        let host: String?
        let exclude: [String]
    }

    /// As of one publication.
    private var leftOut: (serial: Int, positions: [Rule: [Int]]) = (0, [:])
    private var last: (key: Key, selection: PreparedCatalog.Selection)?

    /// The apps that a host may promote, without those that the records leave out and those of the key.
    mutating func selection(
        _ key: Key, of catalog: PreparedCatalog, _ records: ReviewHistory
    ) -> PreparedCatalog.Selection {
        if let last, last.key == key { return last.selection }
        if leftOut.serial != key.serial { leftOut = (key.serial, [:]) }
        let positions = leftOut.positions[key.rule] ?? Self.positions(key.rule, catalog, records)
        leftOut.positions[key.rule] = positions
        let selection = catalog.selection(host: key.host, excluding: positions + catalog.positions(of: key.exclude))
        last = (key, selection)
        return selection
    }

    private static func positions(_ rule: Rule, _ catalog: PreparedCatalog, _ records: ReviewHistory) -> [Int] {
        let launched = rule.unlaunched ? catalog.positions(of: records.launchedApps(in: rule.catalog)) : []
        let hidden = catalog.positions(of: records.hiddenApps(in: rule.catalog))
        switch rule.hidden {
        case .with: return launched
        case .without: return launched + hidden
        case .only: return launched + Set(0..<catalog.count).subtracting(hidden)
        }
    }
}
