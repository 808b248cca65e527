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
    /// The rows of lists that were made for all requests, without icons.
    private(set) var lists: [TaglineLanguage: ListRows]

    /// The apps that a host may promote.
    package struct Selection: Equatable, Sendable {
        /// Ranges of positions in the catalog, in order.
        package let ranges: [Range<Int>]
        /// Whether the host is an app of the catalog or has a rule.
        package let isHostKnown: Bool

        /// The first `limit` apps that are also at some positions, or all without a limit.
        package func first(_ limit: Int?, among positions: [Range<Int>]) -> [Range<Int>] {
            var (found, left, one, other) = ([Range<Int>](), limit ?? .max, 0, 0)
            while left > 0, one < ranges.count, other < positions.count {
                let common = ranges[one].clamped(to: positions[other]).prefix(left)
                if !common.isEmpty { found.append(common) }
                left -= common.count
                if ranges[one].upperBound <= positions[other].upperBound { one += 1 } else { other += 1 }
            }
            return found
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
        (self.rows, lists) = (rows, [.all: rows.all])
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

    /// Makes the rows of lists in some languages.
    package mutating func makeLists(in languages: Set<TaglineLanguage>) {
        for language in languages where lists[language] == nil { lists[language] = list(in: language) }
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

    /// The positions of the apps, except those with some ids.
    package func positions(without ids: Set<String>) -> [Range<Int>] {
        let leftOut = Set(ids.compactMap(rows.position))
        return leftOut.isEmpty ? [0..<count] : Self.ranges((0..<count).filter { !leftOut.contains($0) })
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
    private static func ranges(_ positions: some Sequence<Int>) -> [Range<Int>] {
        positions.reduce(into: []) { ranges, position in
            if let last = ranges.last, last.upperBound == position {
                ranges[ranges.count - 1] = last.lowerBound..<position + 1
            } else {
                ranges.append(position..<position + 1)
            }
        }
    }
}

/// The apps of a catalog as `list` encodes them for all languages, one row after another. The rows in one language are made from these,
/// because the catalog as it was parsed would take far more memory.
package struct AppRows: Sendable {
    /// The length of `,{"id":"` before an id.
    private static let idOffset = 8

    /// The rows with all translations.
    let all: ListRows
    /// The positions of the rows, sorted by the bytes of their ids.
    private let byID: [UInt32]

    /// Encodes apps, whose ids must be well formed and unique, as those of a valid catalog are.
    package init(_ apps: [PromoApp]) {
        let all = ListRows(count: apps.count) { ListResult.App(apps[$0], at: $0).write(to: &$1) }
        self.all = all
        byID = (0..<UInt32(apps.count)).sorted {
            Self.id(at: Int($0), all).lexicographicallyPrecedes(Self.id(at: Int($1), all))
        }
    }

    /// The number of rows.
    package var count: Int { byID.count }

    /// The app in a row.
    package func app(at position: Int) -> ListResult.App? {
        let row = all.bytes.bytes[all.offsets(of: position..<position + 1)].dropFirst()
        return try? ListResult.App(JSONDocument(Array(row), maximumDepth: 2).root)
    }

    /// The position of the app with an id; nil if there is none.
    package func position(of id: String) -> Int? {
        var range = byID.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let precedes = Self.id(at: Int(byID[middle]), all).lexicographicallyPrecedes(id.utf8)
            range = precedes ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        guard range.lowerBound < byID.count else { return nil }
        let found = Int(byID[range.lowerBound])
        return Self.id(at: found, all).elementsEqual(id.utf8) ? found : nil
    }

    private static func id(at position: Int, _ rows: ListRows) -> ArraySlice<UInt8> {
        rows.bytes.bytes[(Int(rows.starts[position]) + idOffset)...].prefix { $0 != UInt8(ascii: "\"") }
    }

    /// The rows of a list in a language.
    /// - Parameter iconPath: the path of the picture of an icon's address, if there is one; nil leaves the member out.
    package func list(in language: TaglineLanguage, iconPath: ((_ iconURL: String) -> String?)? = nil) -> ListRows {
        if case .all = language, iconPath == nil { return all }
        let array = Array("[".utf8) + all.bytes.bytes.dropFirst() + Array("]".utf8)
        var rows = (try? JSONDocument(array, maximumDepth: 3).root.elements)?.makeIterator()
        return ListRows(count: count) { _, writer in
            guard let row = rows?.next() else { return }
            writer.object { writer in
                for (name, value) in row.members {
                    guard let value = Self.value(value, name, of: row, in: language) else { continue }
                    writer.value(json: name.text)
                    writer.append(":")
                    writer.value(json: value.text)
                }
                if let iconPath, let url = row["iconURL"]?.ascii(upTo: HTTPSURL.maximumLength) {
                    writer.member("iconPath", iconPath(url))
                }
            }
        }
    }

    /// The value of a row's member in a language; nil if it is left out.
    private static func value(
        _ value: JSONValue, _ name: JSONValue, of row: JSONValue, in language: TaglineLanguage
    ) -> JSONValue? {
        guard case .one(let language) = language else { return value }
        if name.isString("category") { return row["categories"]?[language.rawValue] ?? value }
        if name.isString("tagline") { return value[language.rawValue] ?? value["en"] }
        return name.isString("categories") ? nil : value
    }
}

extension ListResult.App {
    /// The app at a position of the catalog, with all its translations.
    init(_ app: PromoApp, at position: Int) {
        self.init(
            id: app.id, name: app.name, appStoreID: app.appStoreID, iconURL: app.iconURL, category: app.category.en,
            tagline: app.tagline.texts, storeURL: app.storeURL,
            placeholder: Placeholder(of: app.name, at: position))
        categories = app.category.texts
        categories[.en] = nil
    }
}

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
}

/// What a list of a catalog is made from that takes time with the catalog's size, so that a job makes it.
package struct ListSource: Sendable {
    let rows: ListRows
    /// The positions of the apps that it may have: without those that were launched, if the request wants that.
    let positions: [Range<Int>]
}

/// A list that was requested, with the state of the catalog at that time.
package struct ListOrder: Equatable, Sendable {
    /// What determines the source.
    package struct Key: Hashable, Sendable {
        let catalog, generation: String
        package let language: TaglineLanguage
        /// The number of the state of the pictures; nil for rows without icons.
        let icons: Int?
        /// The number of the set of launched apps; nil if they are not left out.
        let launches: Int?

        /// Whether a list from this snapshot can be made from it.
        func isUsed(by snapshot: Snapshot) -> Bool {
            guard let now = snapshot.catalogs.first(where: { $0.identity == catalog }) else { return false }
            return now.served?.catalog.generation == generation && (icons == nil || icons == now.icons?.number ?? 0)
                && (launches == nil || launches == snapshot.launches)
        }
    }

    /// Equal for all lists that are made from the same.
    package let key: Key
    let parameters: ListParameters
    let catalog: CatalogSnapshot
    private let served: PreparedCatalog
    private let launched: Set<String>

    /// Nil if nothing is served.
    init?(_ parameters: ListParameters, in language: Language, of catalog: CatalogSnapshot, _ snapshot: Snapshot) {
        guard let served = catalog.served?.catalog else { return nil }
        (self.parameters, self.catalog, self.served) = (parameters, catalog, served)
        launched = parameters.unlaunched ? snapshot.launched : []
        key = Key(
            catalog: catalog.identity, generation: served.generation, language: parameters.language ?? .one(language),
            icons: parameters.icons ? catalog.icons?.number ?? 0 : nil,
            launches: launched.isEmpty ? nil : snapshot.launches)
    }

    /// The source if the catalog came with it.
    var ready: ListSource? {
        guard key.icons == nil, key.launches == nil, let rows = served.lists[key.language] else { return nil }
        return ListSource(rows: rows, positions: [0..<served.count])
    }

    /// Makes the source, in up to 60 ms for 10,000 apps.
    package func make() -> ListSource {
        let paths = parameters.icons ? catalog.icons?.path ?? { _ in nil } : nil
        let made = paths == nil ? served.lists[key.language] : nil
        return ListSource(
            rows: made ?? served.list(in: key.language, iconPath: paths), positions: served.positions(without: launched)
        )
    }

    /// Whether a reply may be small enough to be kept, by the mean size of a row; others would be made twice.
    func mayBeKept(_ source: ListSource) -> Bool {
        let apps = served.selection(host: parameters.host).ranges.reduce(0) { $0 + $1.count }
        return min(apps, parameters.limit ?? .max) * (source.rows.bytes.bytes.count / served.count)
            <= KeptReplies.maximumReply
    }

    package static func == (one: ListOrder, other: ListOrder) -> Bool { one.key == other.key }
}
