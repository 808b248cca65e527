package import PromoWire

/// A catalog made ready for answering: each app's JSON in each language, side by side, so that a `list` only copies slices.
///
/// Memory grows with apps × languages; a host costs something only where it has a rule.
package struct PreparedCatalog: Sendable {
    /// The first 16 hexadecimal digits of the SHA-256 of the catalog's bytes.
    package let generation: String
    /// The apps in the catalog's order.
    package let apps: [PromoApp]

    private let positions: [String: Int]
    /// For a host with a rule: the apps that it promotes, in the catalog's order, without itself, as ranges of positions.
    private let rules: [String: [Range<Int>]]
    /// All apps in each language.
    private let blocks: [SharedRows.Buffer]

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
        apps = catalog.apps
        let positions = Dictionary(
            catalog.apps.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.positions = positions
        rules = Dictionary(
            catalog.promoRules.map { host, ids in
                let apps = Set(ids.compactMap { positions[$0] }).subtracting([positions[host]].compactMap(\.self))
                return (host, Self.ranges(apps.sorted()))
            }, uniquingKeysWith: { first, _ in first })
        blocks = Self.languages.map { Self.block(catalog.apps, $0) }
    }

    /// The app of that id.
    package func app(_ id: String) -> PromoApp? {
        positions[id].map { apps[$0] }
    }

    /// What a host may promote; nil asks for every app.
    package func selection(host: String?) -> Selection {
        guard let host else { return Selection(ranges: [0..<apps.count], isHostKnown: true) }
        if let rule = rules[host] {
            return Selection(ranges: rule, isHostKnown: true)
        }
        guard let own = positions[host] else { return Selection(ranges: [0..<apps.count], isHostKnown: false) }
        return Selection(ranges: [0..<own, own + 1..<apps.count].filter { !$0.isEmpty }, isHostKnown: true)
    }

    /// Writes the JSON array of the selected apps, of the first `limit` where there is one.
    package func write(
        _ selection: Selection, in language: TaglineLanguage, limit: Int?, to writer: inout JSONWriter
    ) {
        let block = blocks[Self.languages.firstIndex(of: language) ?? 0]
        writer.array(of: SharedRows(of: block, selection.ranges, limit: limit))
    }

    private static let languages: [TaglineLanguage] = Language.allCases.map(TaglineLanguage.one) + [.all]

    private static func block(_ apps: [PromoApp], _ language: TaglineLanguage) -> SharedRows.Buffer {
        var writer = JSONWriter()
        var starts = [0]
        for app in apps {
            writer.append(",")
            write(app, language, to: &writer)
            starts.append(writer.bytes.count)
        }
        return SharedRows.Buffer(bytes: writer.bytes, starts: starts)
    }

    private static func write(_ app: PromoApp, _ language: TaglineLanguage, to writer: inout JSONWriter) {
        writer.append("{")
        writer.member("id", app.id)
        writer.member("name", app.name)
        writer.member("appStoreID", app.appStoreID)
        writer.member("iconURL", app.iconURL)
        writer.member("category", app.category)
        switch language {
        case .one(let language):
            writer.member("tagline", app.tagline.text(in: language))
        case .all:
            writer.name("tagline")
            writer.object { writer in
                writer.member("en", app.tagline.en)
                if let korean = app.tagline.ko { writer.member("ko", korean) }
                if let japanese = app.tagline.ja { writer.member("ja", japanese) }
            }
        }
        writer.member("storeURL", app.storeURL)
        writer.append("}")
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
