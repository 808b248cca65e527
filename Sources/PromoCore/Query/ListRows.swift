import PromoWire

/// The rows of a catalog's lists in one language, one after another, each with the comma before it. All replies share them.
package struct ListRows: Sendable {
    let bytes: SharedBytes
    /// The offsets of the rows, and one more for the end of the last row.
    let starts: [UInt32]

    /// Writes rows.
    /// - Parameter write: writes the app at a position.
    init(count: Int, _ write: (_ position: Int, inout JSONWriter) -> Void) {
        var (writer, starts): (JSONWriter, [UInt32]) = (JSONWriter(), [])
        starts.reserveCapacity(count + 1)
        for position in 0..<count {
            starts.append(UInt32(writer.bytes.count))
            writer.append(",")
            write(position, &writer)
        }
        starts.append(UInt32(writer.bytes.count))
        // The writer's buffer has grown by doubling, so a copy is smaller.
        (bytes, self.starts) = (SharedBytes(Array(writer.bytes[...])), starts)
    }

    /// The offsets of a range of rows.
    func offsets(of range: Range<Int>) -> Range<Int> { Int(starts[range.lowerBound])..<Int(starts[range.upperBound]) }

    /// The rows that were made so far, each on the first use of its catalog and language.
    struct Cache: Sendable {
        private struct Key: Hashable {
            let catalog, generation: String
            /// Nil for all languages.
            let language: String?
            /// The number of the state of the pictures; nil for rows without icons.
            let icons: Int?
        }

        private var rows: [Key: ListRows] = [:]

        /// The rows of the catalog that is served; nil if there is none.
        mutating func rows(of catalog: CatalogSnapshot, in language: TaglineLanguage, icons: Bool) -> ListRows? {
            guard let served = catalog.served?.catalog else { return nil }
            let key = Key(
                catalog: catalog.identity, generation: served.generation, language: language.lookedFor,
                icons: icons ? catalog.icons?.number ?? 0 : nil)
            if let made = rows[key] { return made }
            let made = served.list(in: language, iconPath: icons ? catalog.icons?.path ?? { _ in nil } : nil)
            rows[key] = made
            return made
        }

        /// Keeps only what a snapshot can still use.
        mutating func published(_ snapshot: Snapshot) {
            guard !rows.isEmpty else { return }
            let used = Dictionary(snapshot.catalogs.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
            rows = rows.filter { key, _ in
                let catalog = used[key.catalog]
                return catalog?.served?.catalog.generation == key.generation
                    && (key.icons == nil || key.icons == catalog?.icons?.number)
            }
        }
    }
}
