import PromoWire

/// Caches, until the next publication, the positions of the launched apps, of which there may be thousands, and the last selection without
/// them. Replies to equal requests share the selection.
struct LaunchedApps: Sendable {
    /// Everything that a selection depends on.
    struct Key: Equatable {
        let serial: Int
        let catalog: String
        let host: String?
        let exclude: [String]
    }

    /// By the catalogs' names, as of one publication.
    private var leftOut: (serial: Int, positions: [String: [Int]]) = (0, [:])
    private var last: (key: Key, selection: PreparedCatalog.Selection)?

    /// The apps that a host may promote, without the launched ones and those of the key.
    mutating func selection(
        _ key: Key, of catalog: PreparedCatalog, _ launched: Set<String>
    ) -> PreparedCatalog.Selection {
        if let last, last.key == key { return last.selection }
        if leftOut.serial != key.serial { leftOut = (key.serial, [:]) }
        let positions = leftOut.positions[key.catalog] ?? catalog.positions(of: launched)
        leftOut.positions[key.catalog] = positions
        let selection = catalog.selection(host: key.host, excluding: positions + catalog.positions(of: key.exclude))
        last = (key, selection)
        return selection
    }
}
