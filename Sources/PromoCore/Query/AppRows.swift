package import PromoWire

/// The apps of a catalog as `list` encodes them, in one buffer for all languages.
///
/// The buffer has each row once, in the form for all languages: `,{…,"tagline":{"en":"…","ko":"…"},…}`. A reply in one language
/// leaves out everything around the tagline in that language, so a translation takes only its own bytes.
package struct AppRows: Sendable {
    /// The offsets of the parts of a row in the buffer. Four bytes each are enough for the largest catalog that is allowed.
    struct Row: Sendable {
        /// The comma before the row.
        var start: UInt32 = 0
        /// The number in the App Store, with its quotes, or null.
        var storeNumber: UInt32 = 0
        /// The brace that opens the tagline.
        var tagline: UInt32 = 0
        /// The ends of the taglines, in the order of `Language.allCases`. A missing one ends where the one before it does.
        var ends: (en: UInt32, ko: UInt32, ja: UInt32) = (0, 0, 0)

        /// The text of the tagline in a language, with its quotes; the English text if there is no translation.
        func text(in language: Language) -> Range<Int> {
            let english = tagline + AppRows.textOffset..<ends.en
            let range =
                switch language {
                case .en: english
                case .ko: AppRows.translation(ends.en, ends.ko) ?? english
                case .ja: AppRows.translation(ends.ko, ends.ja) ?? english
                }
            return Int(range.lowerBound)..<Int(range.upperBound)
        }

        /// The offset after the brace that closes the tagline.
        var taglineEnd: Int { Int(ends.ja) + 1 }

        /// The row after `added` bytes were inserted before it.
        func moved(by added: UInt32) -> Row {
            Row(
                start: start + added, storeNumber: storeNumber + added, tagline: tagline + added,
                ends: (ends.en + added, ends.ko + added, ends.ja + added))
        }
    }

    /// The length of `,"iconURL":"` between an App Store number and the address of an icon.
    private static let iconURLOffset = 12
    /// The length of `,{"id":"` before an id.
    private static let idOffset = 8
    /// The length of `{"en":` or `,"ko":` before a text of a tagline.
    private static let textOffset: UInt32 = 6

    /// The rows, one after another.
    private let bytes: [UInt8]
    /// The offsets of the rows, and one more entry for the end of the last row.
    private let rows: [Row]
    /// The positions of the rows, sorted by the bytes of their ids.
    private let byID: [UInt32]

    /// Encodes apps, whose ids must be well formed and unique, as those of a valid catalog are.
    package init(_ apps: some Collection<ListResult.App>) {
        var writer = JSONWriter()
        var rows: [Row] = []
        rows.reserveCapacity(apps.count + 1)
        for app in apps { rows.append(Self.write(app, to: &writer)) }
        rows.append(Row(start: UInt32(writer.bytes.count)))
        // The writer's buffer has grown by doubling, so a copy is smaller.
        let bytes = Array(writer.bytes[...])
        self.bytes = bytes
        self.rows = rows
        byID = (0..<UInt32(apps.count)).sorted {
            Self.id(rows[Int($0)], bytes).lexicographicallyPrecedes(Self.id(rows[Int($1)], bytes))
        }
    }

    /// The number of rows.
    package var count: Int { rows.count - 1 }

    /// The id of an app.
    package func id(at position: Int) -> String {
        String(decoding: Self.id(rows[position], bytes), as: UTF8.self)
    }

    /// The App Store number of an app; nil if it has none.
    package func appStoreID(at position: Int) -> String? {
        let number = storeNumber(at: position)
        return number.first == UInt8(ascii: "\"") ? String(decoding: number.dropFirst().dropLast(), as: UTF8.self) : nil
    }

    /// The JSON of an App Store number.
    private func storeNumber(at position: Int) -> ArraySlice<UInt8> {
        bytes[Int(rows[position].storeNumber)...].prefix { $0 != UInt8(ascii: ",") }
    }

    /// The address of an app's icon. It has no escapes, as no URL has.
    package func iconURL(at position: Int) -> String {
        let start = storeNumber(at: position).endIndex + Self.iconURLOffset
        return String(decoding: Self.text(bytes, from: start), as: UTF8.self)
    }

    /// The address of an app's page in the store. It has no escapes, as no URL has.
    package func storeURL(at position: Int) -> String {
        // The row ends with the address, its quote and a brace.
        let end = Int(rows[position + 1].start) - 2
        let start = bytes[..<end].lastIndex(of: UInt8(ascii: "\"")) ?? end
        return String(decoding: bytes[start + 1..<end], as: UTF8.self)
    }

    /// The position of the app with an id; nil if there is none.
    package func position(of id: String) -> Int? {
        let place = place(of: id)
        guard place < byID.count, Self.id(rows[Int(byID[place])], bytes).elementsEqual(id.utf8) else { return nil }
        return Int(byID[place])
    }

    /// The neighbours of an id in sorted order, the nearest first: at most `count` on each side.
    package func ids(around id: String, count: Int) -> some Sequence<String> {
        let place = place(of: id)
        return (0..<count).lazy.flatMap { [place + $0, place - 1 - $0] }.filter(byID.indices.contains)
            .map { self.id(at: Int(byID[$0])) }
    }

    /// The index in `byID` of an id, or of the first one after it.
    private func place(of id: String) -> Int {
        var range = byID.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let found = Self.id(rows[Int(byID[middle])], bytes)
            range =
                found.lexicographicallyPrecedes(id.utf8)
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    /// The rows with the member `iconPath` added.
    /// - Parameter path: the path of an app's picture, by its position; nil if there is none.
    package func addingIconPaths(_ path: (_ position: Int) -> String?) -> AppRows {
        var writer = JSONWriter()
        var rows: [Row] = []
        rows.reserveCapacity(self.rows.count)
        var added: UInt32 = 0
        for position in 0..<count {
            let (row, end) = (self.rows[position], Int(self.rows[position + 1].start))
            rows.append(row.moved(by: added))
            writer.append(bytes: bytes.span.extracting(Int(row.start)..<row.taglineEnd))
            let start = writer.bytes.count
            writer.member("iconPath", path(position))
            added += UInt32(writer.bytes.count - start)
            writer.append(bytes: bytes.span.extracting(row.taglineEnd..<end))
        }
        rows.append(self.rows[count].moved(by: added))
        return AppRows(bytes: Array(writer.bytes[...]), rows: rows, byID: byID)
    }

    private init(bytes: [UInt8], rows: [Row], byID: [UInt32]) {
        self.bytes = bytes
        self.rows = rows
        self.byID = byID
    }

    // MARK: Parts of replies

    /// The size of a range of rows in all languages, in bytes, including the comma before the first.
    func size(of range: Range<Int>) -> Int { Int(rows[range.upperBound].start - rows[range.lowerBound].start) }

    /// Calls the body with the bytes of all rows and with the offsets of their parts.
    func withParts<Result>(_ body: (Span<UInt8>, Span<Row>) -> Result) -> Result {
        body(bytes.span, rows.span)
    }

    private static func translation(_ before: UInt32, _ end: UInt32) -> Range<UInt32>? {
        before < end ? before + textOffset..<end : nil
    }

    private static func id(_ row: Row, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
        text(bytes, from: Int(row.start) + idOffset)
    }

    /// The contents of a string that has no escapes.
    /// - Parameter start: the offset after the opening quote.
    private static func text(_ bytes: [UInt8], from start: Int) -> ArraySlice<UInt8> {
        bytes[start...].prefix { $0 != UInt8(ascii: "\"") }
    }

    // MARK: Writing

    private static func write(_ app: ListResult.App, to writer: inout JSONWriter) -> Row {
        var row = Row(start: UInt32(writer.bytes.count))
        writer.append(",{")
        writer.member("id", app.id)
        writer.member("name", app.name)
        writer.name("appStoreID")
        row.storeNumber = UInt32(writer.bytes.count)
        writer.value(app.appStoreID)
        writer.member("iconURL", app.iconURL)
        writer.member("category", app.category)
        if !app.categories.isEmpty {
            writer.object("categories") { writer in
                for language in Language.allCases {
                    if let text = app.categories[language] { writer.member(language.rawValue, text) }
                }
            }
        }
        writer.name("tagline")
        row.tagline = UInt32(writer.bytes.count)
        writer.object { writer in
            func end(_ language: Language) -> UInt32 {
                if let text = app.tagline[language] { writer.member(language.rawValue, text) }
                return UInt32(writer.bytes.count)
            }
            row.ends.en = end(.en)
            row.ends.ko = end(.ko)
            row.ends.ja = end(.ja)
        }
        writer.member("storeURL", app.storeURL)
        writer.append("}")
        return row
    }
}
