package import PromoWire

/// A catalog prepared for replies: its apps as rows of JSON, and for each host with a rule, the apps that it may promote.
package struct PreparedCatalog: Sendable {
    /// The first 16 hexadecimal digits of the SHA-256 of the catalog's bytes.
    package let generation: String

    private let rows: AppRows
    /// For each host with a rule, the apps that it promotes, without itself, as ranges of positions in the catalog's order.
    private let rules: [String: [Range<Int>]]

    /// The apps that a host may promote.
    package struct Selection: Equatable, Sendable {
        /// Ranges of positions in the catalog, in order.
        package let ranges: [Range<Int>]
        /// Whether the host is an app of the catalog or has a rule.
        package let isHostKnown: Bool
    }

    /// Prepares a validated catalog.
    package init(_ catalog: AppCatalog, generation: String) {
        self.generation = generation
        let rows = AppRows(catalog.apps.lazy.map(\.listed))
        self.rows = rows
        rules = Dictionary(
            catalog.promoRules.map { host, ids in
                let apps = Set(ids.compactMap(rows.position)).subtracting([rows.position(of: host)].compactMap(\.self))
                return (host, Self.ranges(apps.sorted()))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The number of apps.
    package var count: Int { rows.count }

    /// The App Store number of the app with an id; nil if the catalog has no such app.
    package func appStoreID(of id: String) -> String? {
        rows.position(of: id).map(rows.appStoreID)
    }

    /// A digest of the apps' ids, whatever their order.
    var appsDigest: String {
        let ids = (0..<count).map { rows.id(at: $0) }.sorted()
        return CatalogDigest(of: Array(ids.joined(separator: "\n").utf8)).generation
    }

    /// The App Store numbers of the apps that another catalog lacks, by id.
    package func appStoreIDs(missingIn other: PreparedCatalog?) -> [String: String] {
        var numbers: [String: String] = [:]
        for position in 0..<count {
            let id = rows.id(at: position)
            if other?.rows.position(of: id) == nil { numbers[id] = rows.appStoreID(at: position) }
        }
        return numbers
    }

    /// The apps that a host may promote; without a host, every app.
    package func selection(host: String?) -> Selection {
        guard let host else { return Selection(ranges: [0..<count], isHostKnown: true) }
        if let rule = rules[host] {
            return Selection(ranges: rule, isHostKnown: true)
        }
        guard let own = rows.position(of: host) else { return Selection(ranges: [0..<count], isHostKnown: false) }
        return Selection(ranges: [0..<own, own + 1..<count].filter { !$0.isEmpty }, isHostKnown: true)
    }

    /// The selected apps as the rows of a reply, the first `limit` of them if there is a limit.
    package func rows(_ selection: Selection, in language: TaglineLanguage, limit: Int?) -> SharedRows {
        SharedRows(of: rows, selection.ranges, in: language, limit: limit)
    }

    /// The ranges of consecutive positions among sorted ones.
    private static func ranges(_ positions: [Int]) -> [Range<Int>] {
        positions.reduce(into: []) { ranges, position in
            if let last = ranges.last, last.upperBound == position {
                ranges[ranges.count - 1] = last.lowerBound..<position + 1
            } else {
                ranges.append(position..<position + 1)
            }
        }
    }
}
