package import PromoWire

/// The apps of a catalog as `list` encodes them for all languages, one row after another. The rows in one language are made from these,
/// because the catalog as it was parsed would take far more memory.
package struct AppRows: Sendable {
    /// The length of `,{"id":"` before an id.
    private static let idOffset = 8

    private let all: ListRows
    /// The positions of the rows, sorted by the bytes of their ids.
    private let byID: [UInt32]

    /// Encodes apps, whose ids must be well formed and unique, as those of a valid catalog are.
    package init(_ apps: [PromoApp]) {
        let all = ListRows(count: apps.count) { ListResult.App(apps[$0]).write(to: &$1) }
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
    /// The app with all its translations.
    init(_ app: PromoApp) {
        self.init(
            id: app.id, name: app.name, appStoreID: app.appStoreID, iconURL: app.iconURL, category: app.category.en,
            tagline: app.tagline.texts, storeURL: app.storeURL)
        categories = app.category.texts
        categories[.en] = nil
    }
}
