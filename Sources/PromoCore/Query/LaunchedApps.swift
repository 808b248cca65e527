import Synchronization

/// Remembers which apps of each catalog were launched, and the last selection without them: there may be thousands, and until the next
/// publication nothing of that changes. Replies to equal requests share the selection.
final class LaunchedApps: Sendable {
    /// What a selection depends on.
    struct Key: Equatable {
        let serial: Int
        let catalog: String
        let host: String?
        let exclude: [String]
    }

    private struct State {
        /// By catalog, as of one publication.
        var launched: (serial: Int, positions: [String: [Int]]) = (0, [:])
        var last: (key: Key, selection: PreparedCatalog.Selection)?
    }

    private let state = Mutex(State())

    /// The apps that a host may promote, without those that were launched and those of the key.
    func selection(
        _ key: Key, of catalog: PreparedCatalog, launched: () -> [String]
    ) -> PreparedCatalog.Selection {
        state.withLock { state in
            if let last = state.last, last.key == key { return last.selection }
            if state.launched.serial != key.serial { state.launched = (key.serial, [:]) }
            let positions = state.launched.positions[key.catalog] ?? catalog.positions(of: launched())
            state.launched.positions[key.catalog] = positions
            let selection = catalog.selection(
                host: key.host, excluding: positions + catalog.positions(of: key.exclude))
            state.last = (key, selection)
            return selection
        }
    }
}
