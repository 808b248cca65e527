package import PromoWire

/// The apps of a catalog as `list` encodes them for all languages, one row after another: `,{…,"tagline":{"en":"…","ko":"…"},…}`. The
/// rows of a list in one language are cut from it.
package struct AppRows: Sendable {
    /// A text with its translations, in a row. Four bytes for an offset are enough for the largest catalog that is allowed.
    private struct Texts {
        /// The offset of the first quote of the English text.
        var start: UInt32 = 0
        /// The ends of the texts, in the order of `Language.allCases`. A missing one ends where the one before it does.
        var ends: (en: UInt32, ko: UInt32, ja: UInt32) = (0, 0, 0)

        var isTranslated: Bool { ends.en < ends.ja }

        /// The text in a language, with its quotes; the English text if there is no translation.
        /// - Parameter gap: the number of bytes between the English text and the first translation.
        func text(in language: Language, gap: UInt32) -> Range<Int> {
            let hasKorean = ends.en < ends.ko
            return switch language {
            case .ko where hasKorean: Int(ends.en + gap)..<Int(ends.ko)
            case .ja where ends.ko < ends.ja: Int(ends.ko + (hasKorean ? AppRows.textGap : gap))..<Int(ends.ja)
            default: Int(start)..<Int(ends.en)
            }
        }
    }

    /// The offsets of the parts of a row.
    private struct Row {
        /// The comma before the row.
        var start: UInt32 = 0
        /// The number in the App Store, with its quotes, or null.
        var storeNumber: UInt32 = 0
        var category = Texts()
        var tagline = Texts()
    }

    /// The length of `,"ko":` between two texts.
    private static let textGap: UInt32 = 6
    /// The length of `,"categories":{"ko":` between a category in English and its first translation.
    private static let categoryGap: UInt32 = 20
    /// The length of `{"en":` before the English text of a tagline.
    private static let taglineStart = 6
    /// The length of `,"iconURL":"` between an App Store number and the address of an icon.
    private static let iconURLOffset = 12
    /// The length of `,{"id":"` before an id.
    private static let idOffset = 8

    private let bytes: SharedBytes
    /// The offsets of the rows, and one more entry for the end of the last row.
    private let rows: [Row]
    /// The positions of the rows, sorted by the bytes of their ids.
    private let byID: [UInt32]

    /// Encodes apps, whose ids must be well formed and unique, as those of a valid catalog are.
    package init(_ apps: [PromoApp]) {
        var writer = JSONWriter()
        var rows: [Row] = []
        rows.reserveCapacity(apps.count + 1)
        for app in apps { rows.append(Self.write(app, to: &writer)) }
        rows.append(Row(start: UInt32(writer.bytes.count)))
        // The writer's buffer has grown by doubling, so a copy is smaller.
        let bytes = SharedBytes(Array(writer.bytes[...]))
        (self.bytes, self.rows) = (bytes, rows)
        byID = (0..<UInt32(apps.count)).sorted {
            Self.id(rows[Int($0)], bytes).lexicographicallyPrecedes(Self.id(rows[Int($1)], bytes))
        }
    }

    private static func write(_ app: PromoApp, to writer: inout JSONWriter) -> Row {
        var row = Row(start: UInt32(writer.bytes.count))
        writer.append(",{")
        writer.member("id", app.id)
        writer.member("name", app.name)
        writer.name("appStoreID")
        row.storeNumber = UInt32(writer.bytes.count)
        writer.value(app.appStoreID)
        writer.member("iconURL", app.iconURL)
        writer.name("category")
        row.category.start = UInt32(writer.bytes.count)
        writer.value(app.category.en)
        row.category.ends.en = UInt32(writer.bytes.count)
        if app.category.ko != nil || app.category.ja != nil {
            writer.object("categories") { writeTranslations(of: app.category, to: &$0, &row.category) }
        } else {
            (row.category.ends.ko, row.category.ends.ja) = (row.category.ends.en, row.category.ends.en)
        }
        writer.object("tagline") { writer in
            row.tagline.start = UInt32(writer.bytes.count + taglineStart - 1)
            writer.member("en", app.tagline.en)
            row.tagline.ends.en = UInt32(writer.bytes.count)
            writeTranslations(of: app.tagline, to: &writer, &row.tagline)
        }
        writer.member("storeURL", app.storeURL)
        writer.append("}")
        return row
    }

    private static func writeTranslations(of text: LocalizedText, to writer: inout JSONWriter, _ texts: inout Texts) {
        if let ko = text.ko { writer.member("ko", ko) }
        texts.ends.ko = text.ko == nil ? texts.ends.en : UInt32(writer.bytes.count)
        if let ja = text.ja { writer.member("ja", ja) }
        texts.ends.ja = text.ja == nil ? texts.ends.ko : UInt32(writer.bytes.count)
    }

    // MARK: Apps

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
        bytes.bytes[Int(rows[position].storeNumber)...].prefix { $0 != UInt8(ascii: ",") }
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
        let start = bytes.bytes[..<end].lastIndex(of: UInt8(ascii: "\"")) ?? end
        return String(decoding: bytes.bytes[start + 1..<end], as: UTF8.self)
    }

    /// The position of the app with an id; nil if there is none.
    package func position(of id: String) -> Int? {
        var range = byID.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let found = Self.id(rows[Int(byID[middle])], bytes)
            range =
                found.lexicographicallyPrecedes(id.utf8)
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        let place = range.lowerBound
        guard place < byID.count, Self.id(rows[Int(byID[place])], bytes).elementsEqual(id.utf8) else { return nil }
        return Int(byID[place])
    }

    private static func id(_ row: Row, _ bytes: SharedBytes) -> ArraySlice<UInt8> {
        text(bytes, from: Int(row.start) + idOffset)
    }

    /// The contents of a string that has no escapes.
    /// - Parameter start: the offset after the opening quote.
    private static func text(_ bytes: SharedBytes, from start: Int) -> ArraySlice<UInt8> {
        bytes.bytes[start...].prefix { $0 != UInt8(ascii: "\"") }
    }

    // MARK: Lists

    /// The rows of a list in a language.
    /// - Parameter iconPath: the path of the picture of an icon's address, if there is one; nil leaves the member out.
    package func list(in language: TaglineLanguage, iconPath: ((_ iconURL: String) -> String?)? = nil) -> ListRows {
        if case .all = language, iconPath == nil { return ListRows(bytes: bytes, starts: rows.map(\.start)) }
        var (room, starts): ([UInt8], [UInt32]) = ([], [])
        room.reserveCapacity(bytes.bytes.count)
        starts.reserveCapacity(rows.count)
        var writer = JSONWriter(room)
        // The span of a member must not outlive one access to it.
        let all = bytes.bytes
        func copy(_ start: Int, _ end: Int) { writer.append(bytes: all.span.extracting(start..<end)) }
        for position in 0..<count {
            let row = rows[position]
            starts.append(UInt32(writer.bytes.count))
            let (tagline, behind) = (Int(row.tagline.start) - Self.taglineStart, Int(row.tagline.ends.ja) + 1)
            if case .one(let language) = language {
                copy(Int(row.start), Int(row.category.start))
                let category = row.category.text(in: language, gap: Self.categoryGap)
                copy(category.lowerBound, category.upperBound)
                copy(Int(row.category.ends.ja) + (row.category.isTranslated ? 1 : 0), tagline)
                let text = row.tagline.text(in: language, gap: Self.textGap)
                copy(text.lowerBound, text.upperBound)
            } else {
                copy(Int(row.start), behind)
            }
            if let iconPath { writer.member("iconPath", iconPath(iconURL(at: position))) }
            copy(behind, Int(rows[position + 1].start))
        }
        starts.append(UInt32(writer.bytes.count))
        return ListRows(bytes: SharedBytes(writer.bytes), starts: starts)
    }
}
