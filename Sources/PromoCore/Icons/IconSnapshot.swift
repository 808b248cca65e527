package import PromoWire

/// The published state of a catalog's pictures.
package struct IconSnapshot: Sendable {
    /// The catalog's rows with the paths of the pictures.
    package var rows: CatalogRows
    /// When a picture is missing or old again; nil while pictures are being fetched, or if there are none to fetch.
    package var dueAt: Timestamp?
    /// Whether pictures are being fetched.
    package var isFetching: Bool
    /// How many pictures have come since the daemon started.
    package var arrivals: Int

    /// A state with its parts.
    package init(rows: CatalogRows, dueAt: Timestamp?, isFetching: Bool, arrivals: Int) {
        self.rows = rows
        self.dueAt = dueAt
        self.isFetching = isFetching
        self.arrivals = arrivals
    }

    /// Whether pictures have to be fetched.
    package func isDue(now: Timestamp) -> Bool { dueAt.map { $0 <= now } ?? false }
}
