package import PromoWire

/// A catalog prepared for replies: its apps as rows of JSON, and for each host with a rule, the apps that it may promote.
package struct PreparedCatalog: Sendable {
    /// The first 16 hexadecimal digits of the SHA-256 of the catalog's bytes.
    package let generation: String

    /// The apps in the catalog's order.
    private let rows: AppRows
    /// For each host with a rule, the apps that it promotes, without itself, as ranges of positions in the catalog's order.
    private let rules: [String: [Range<Int>]]
    /// The addresses of the icons that are kept, each once, in the catalog's order.
    package let iconURLs: [String]
    /// The pages for writing a review, by id, of the apps that have one of their own for Linux.
    private let reviewURLs: [String: String]

    /// The apps that a host may promote.
    package struct Selection: Equatable, Sendable {
        /// Ranges of positions in the catalog, in order.
        package let ranges: [Range<Int>]
        /// Whether the host is an app of the catalog or has a rule.
        package let isHostKnown: Bool

        /// The first `limit` apps, or all without a limit.
        package func first(_ limit: Int?) -> [Range<Int>] {
            guard var left = limit else { return ranges }
            return ranges.compactMap { range in
                defer { left -= min(left, range.count) }
                return left > 0 ? range.prefix(left) : nil
            }
        }
    }

    /// The rows of a list in a language.
    /// - Parameter iconPath: the path of the picture of an icon's address, if there is one; nil leaves the member out.
    package func list(in language: TaglineLanguage, iconPath: ((_ iconURL: String) -> String?)? = nil) -> ListRows {
        rows.list(in: language, iconPath: iconPath)
    }

    /// Prepares a validated catalog.
    package init(_ catalog: AppCatalog, generation: String) {
        self.generation = generation
        let rows = AppRows(catalog.apps)
        self.rows = rows
        var (icons, seen): ([String], Set<String>) = ([], [])
        for app in catalog.apps where icons.count < IconBook.maximumCount && seen.insert(app.iconURL).inserted {
            icons.append(app.iconURL)
        }
        iconURLs = icons
        reviewURLs = Dictionary(
            catalog.apps.compactMap { app in app.linuxReviewURL.map { (app.id, $0) } },
            uniquingKeysWith: { first, _ in first })
        rules = Dictionary(
            catalog.promoRules.map { host, ids in
                let apps = Set(ids.compactMap(rows.position)).subtracting([rows.position(of: host)].compactMap(\.self))
                return (host, Self.ranges(apps.sorted()))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The number of apps.
    package var count: Int { rows.count }

    /// Whether the catalog has an app with this id, or a rule for it.
    package func names(_ id: String) -> Bool { has(id) || rules[id] != nil }

    /// Whether the catalog has an app with this id.
    package func has(_ id: String) -> Bool { rows.position(of: id) != nil }

    /// The app with an id; nil if the catalog has none.
    package func app(_ id: String) -> ListResult.App? { rows.position(of: id).flatMap(rows.app) }

    /// The address of the page for writing a review of the app with an id; nil if the catalog has no such app.
    func reviewURL(of id: String) -> String? {
        if let url = reviewURLs[id] { return url }
        guard let app = app(id) else { return nil }
        // In place of its page in the App Store, Apple's form.
        let number = app.appStoreID.flatMap { app.storeURL == StoreNumber.page(of: $0) ? $0 : nil }
        return number.map(StoreNumber.reviewPage) ?? app.storeURL
    }

    /// The apps that a host may promote, or all apps without a host, except those with some ids.
    package func selection(host: String?, without ids: Set<String>) -> Selection {
        let (selection, leftOut) = (selection(host: host), Set(ids.compactMap(rows.position)))
        guard !leftOut.isEmpty else { return selection }
        let positions = selection.ranges.joined().filter { !leftOut.contains($0) }
        return Selection(ranges: Self.ranges(positions), isHostKnown: selection.isHostKnown)
    }

    /// The apps that a host may promote, or all apps without a host.
    package func selection(host: String?) -> Selection {
        guard let host else { return Selection(ranges: [0..<count], isHostKnown: true) }
        if let rule = rules[host] {
            return Selection(ranges: rule, isHostKnown: true)
        }
        guard let own = rows.position(of: host) else { return Selection(ranges: [0..<count], isHostKnown: false) }
        return Selection(ranges: [0..<own, own + 1..<count].filter { !$0.isEmpty }, isHostKnown: true)
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
