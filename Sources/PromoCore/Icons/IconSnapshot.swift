package import PromoWire

/// The published state of a catalog's pictures.
package struct IconSnapshot: Sendable {
    /// Counts the states, so that those of other pictures can be told apart.
    package var number: Int
    /// The path of the picture of an icon's address; nil if there is none.
    package var path: @Sendable (_ iconURL: String) -> String?
    /// When the next picture is to be fetched; nil while pictures are being fetched, or if there are none to fetch.
    package var dueAt: Timestamp?
    /// The number of pictures received since the daemon started.
    package var arrivals: Int

    /// Creates a state from its parts.
    package init(
        number: Int = 0, dueAt: Timestamp?, arrivals: Int,
        path: @escaping @Sendable (_ iconURL: String) -> String? = { _ in nil }
    ) {
        (self.number, self.path) = (number, path)
        self.dueAt = dueAt
        self.arrivals = arrivals
    }

    /// Whether a picture is to be fetched now.
    package func isDue(now: Timestamp) -> Bool { dueAt.map { $0 <= now } ?? false }
}
