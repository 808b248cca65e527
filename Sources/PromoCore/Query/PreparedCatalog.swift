package import PromoWire

/// A catalog made ready for answering: its apps as rows of JSON, and for each host with a rule which of them it may promote.
package struct PreparedCatalog: Sendable {
    /// The first 16 hexadecimal digits of the SHA-256 of the catalog's bytes.
    package let generation: String

    private let rows: AppRows
    /// For a host with a rule: the apps that it promotes, in the catalog's order, without itself, as ranges of positions.
    private let rules: [String: [Range<Int>]]

    /// What a host may promote.
    package struct Selection: Equatable, Sendable {
        /// Ranges of positions in the catalog, in order.
        package let ranges: [Range<Int>]
        /// Whether the catalog knows the host, as an app or by a rule.
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

    /// How many apps there are.
    package var count: Int { rows.count }

    /// The number in the App Store of the app with that id; nil if the catalog has none.
    package func appStoreID(of id: String) -> String? {
        rows.position(of: id).map(rows.appStoreID)
    }

    /// The numbers in the App Store of the apps that another catalog lacks, by id.
    package func appStoreIDs(missingIn other: PreparedCatalog?) -> [String: String] {
        var numbers: [String: String] = [:]
        for position in 0..<count {
            let id = rows.id(at: position)
            if other?.rows.position(of: id) == nil { numbers[id] = rows.appStoreID(at: position) }
        }
        return numbers
    }

    /// What a host may promote; nil asks for every app.
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

    /// Sorted positions as ranges of neighbours.
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
