package import PromoWire

/// A cache of replies to `list`. Until the next publication, lines that differ only in their id get replies that differ only in
/// their id, so each reply is made once and kept under its line without the id.
package struct KeptReplies: Sendable {
    private struct Entry: Sendable {
        /// The line without its id.
        let line: [UInt8]
        let rest: [UInt8]

        /// In bytes, with those of its place and of the two arrays' headers.
        var size: Int { line.count + rest.count + 128 }
    }

    /// The limits of a line and a reply, which have to be worth keeping, and of all together, in bytes.
    private static let (maximumLine, maximumReply, maximumTotal) = (512, 65_536, 4 << 20)

    /// The entries by the hash of their lines.
    private var entries: [UInt64: Entry] = [:]
    /// The size of all entries, in bytes.
    private var total = 0

    /// Creates an empty cache.
    package init() {}

    /// Answers the line at the start of the bytes, from the cache if possible.
    /// - Parameters:
    ///   - make: makes the reply after its id; nil if it must not be kept.
    /// - Returns: the length of the line with its line feed; 0 if it is not answered, because it is not a short list, or its reply must
    ///   not be kept or is too large to be.
    package mutating func answer(
        _ bytes: Span<UInt8>, output: inout OutputQueue, make: (ListParameters, CatalogReference?) -> [UInt8]?
    ) -> Int {
        guard let template = LineTemplate(bytes, maximum: Self.maximumLine) else { return 0 }
        let hash = template.hash(on: bytes)
        if let entry = entries[hash], template.isEqual(entry.line, on: bytes) {
            output.reply(to: template.id, of: bytes, rest: entry.rest)
            return template.length
        }
        guard let (list, catalog) = Self.list(template, bytes), let rest = make(list, catalog),
            rest.count <= Self.maximumReply
        else { return 0 }
        keep(Entry(line: template.bytes(of: bytes), rest: rest), hash)
        output.reply(to: template.id, of: bytes, rest: rest)
        return template.length
    }

    /// Keeps an entry; without room for it, no other is kept.
    private mutating func keep(_ entry: Entry, _ hash: UInt64) {
        total -= entries.removeValue(forKey: hash)?.size ?? 0
        if total + entry.size > Self.maximumTotal { self = KeptReplies() }
        total += entry.size
        entries[hash] = entry
    }

    /// The list that a line asks for; nil unless its reply depends only on these parameters and the publication.
    private static func list(
        _ template: LineTemplate, _ bytes: Span<UInt8>
    ) -> (ListParameters, CatalogReference?)? {
        let line = bytes.extracting(..<(template.length - 1))
        // Other lines are read only once, where they are answered.
        guard line.firstIndex(of: "\"list\"") != nil,
            case .request(let request, let id)? = Call(line: [UInt8](copying: line)),
            case .list(let list) = request.method,
            id?.json == template.id.map({ [UInt8](copying: line.extracting($0)) }) ?? RequestID.null.json,
            !list.wait, !list.icons
        else { return nil }
        return (list, request.catalog)
    }
}
