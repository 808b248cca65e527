package import PromoWire

/// The published state of a catalog's pictures.
package struct IconSnapshot: Sendable {
    /// The catalog's rows with the paths of the pictures.
    package var rows: CatalogRows
    /// When the next picture is to be fetched; nil while pictures are being fetched, or if there are none to fetch.
    package var dueAt: Timestamp?
    /// Whether pictures are being fetched.
    package var isFetching: Bool
    /// The number of pictures received since the daemon started.
    package var arrivals: Int

    /// Creates a state from its parts.
    package init(rows: CatalogRows, dueAt: Timestamp?, isFetching: Bool, arrivals: Int) {
        self.rows = rows
        self.dueAt = dueAt
        self.isFetching = isFetching
        self.arrivals = arrivals
    }

    /// Whether a picture is to be fetched now.
    package func isDue(now: Timestamp) -> Bool { dueAt.map { $0 <= now } ?? false }
}
