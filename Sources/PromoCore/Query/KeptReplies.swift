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
    static let (maximumLine, maximumReply, maximumTotal) = (512, 65_536, 4 << 20)

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

/// A line without its id, which is found without parsing the line. Lines with the same template are the same request, so their replies
/// differ only in the id.
struct LineTemplate: Sendable {
    /// The range of the id in the line, including quotes; nil if the line has none, or one that belongs to the template.
    let id: Range<Int>?
    /// The length of the line in bytes, including its line feed.
    let length: Int

    /// The maximum length of an id, in bytes with its quotes, and of a number, in digits, so that it fits into an integer.
    private static let (maximumText, maximumDigits) = (66, 9)

    /// The template of the line at the start of the bytes; nil without a line feed among the first ones.
    /// - Parameter maximum: how many bytes are searched for it.
    init?(_ bytes: Span<UInt8>, maximum: Int) {
        guard let end = bytes.extracting(first: maximum).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = bytes.extracting(..<end)
        let name: StaticString = #""id":"#
        id = line.firstIndex(of: name).flatMap { Self.id(line, $0 + name.utf8CodeUnitCount) }
        length = end + 1
    }

    /// The range of a number without a sign, or of a short text with its quotes, that is followed by another member or the end.
    private static func id(_ line: Span<UInt8>, _ start: Int) -> Range<Int>? {
        let start = start < line.count && line[start] == UInt8(ascii: " ") ? start + 1 : start
        var at = start
        if at < line.count, line[at] == UInt8(ascii: "\"") {
            repeat {
                at += 1
                guard at < line.count, at - start < maximumText, 0x20..<0x7F ~= line[at], line[at] != UInt8(ascii: "\\")
                else { return nil }
            } while line[at] != UInt8(ascii: "\"")
            at += 1
        } else {
            while at < line.count, line[at].isDigit { at += 1 }
            guard 1...maximumDigits ~= at - start, at - start == 1 || line[start] != UInt8(ascii: "0") else {
                return nil
            }
        }
        guard at < line.count, line[at] == UInt8(ascii: ",") || line[at] == UInt8(ascii: "}") else { return nil }
        return start..<at
    }

    /// The bytes before the id; none if the line has no id.
    private var before: Range<Int> { 0..<(id?.lowerBound ?? 0) }

    /// The bytes after the id; the whole line if it has no id.
    private var behind: Range<Int> { (id?.upperBound ?? 0)..<length }

    /// The template's bytes.
    func bytes(of line: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(before.count + behind.count)
        bytes.append(copying: line.extracting(before))
        bytes.append(copying: line.extracting(behind))
        return bytes
    }

    /// Whether a line with this template has these bytes without its id.
    func isEqual(_ bytes: [UInt8], on line: Span<UInt8>) -> Bool {
        guard bytes.count == before.count + behind.count else { return false }
        let bytes = bytes.span
        return bytes.extracting(before.count...).isEqual(to: line.extracting(behind))
            && bytes.extracting(..<before.count).isEqual(to: line.extracting(before))
    }

    /// A hash of the bytes after the id, computed eight bytes at a time.
    func hash(on line: Span<UInt8>) -> UInt64 {
        let behind = line.extracting(behind)
        var hash = UInt64(truncatingIfNeeded: behind.count)
        var at = 0
        while at + 8 <= behind.count {
            // The load checks its bounds, and any eight bytes are an integer.
            let next = unsafe behind.bytes.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self)
            hash = (hash ^ next) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
            at += 8
        }
        while at < behind.count {
            hash = (hash ^ UInt64(behind[at])) &* 0x9E37_79B9_7F4A_7C15
            at += 1
        }
        return hash ^ hash >> 29
    }
}
