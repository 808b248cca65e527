package import PromoWire

/// A cache of replies to `list`. Until the next publication, lines that differ only in their id get replies that differ only in
/// their id, so each reply is made once and kept under its line without the id.
///
/// The hash of a line selects a set of the cache, and each set keeps the four entries that were used last.
package struct KeptReplies: Sendable {
    private struct Entry: Sendable {
        /// The line without its id.
        let line: [UInt8]
        let rest: [UInt8]
        let validity: Range<Timestamp>
    }

    /// With lines of at most 512 bytes and replies of at most 8 KiB, the cache takes about 2 MiB at most.
    private static let (sets, ways) = (64, 4)
    private static let (maximumLine, maximumReply) = (512, 8192)

    /// The entries, set by set. In each set, the entry that was used last is first.
    private var entries: [Entry?] = Array(repeating: nil, count: sets * ways)
    /// The hashes of the entries' lines, in an array of their own: reading an entry copies it, which counts references.
    private var hashes: [UInt64] = Array(repeating: 0, count: sets * ways)
    /// The serial number of the publication that the entries were made from.
    private var serial = 0

    /// Creates an empty cache.
    package init() {}

    /// Answers the line at the start of the bytes, from the cache if possible.
    /// - Parameters:
    ///   - serial: the serial number of the current publication.
    ///   - make: makes the reply after its id, with the time in which it is valid; nil if it must not be kept.
    /// - Returns: the length of the line with its line feed; 0 if it is not answered, because it is not a short list, or its reply must
    ///   not be kept or is too large to be.
    package mutating func answer(
        _ bytes: Span<UInt8>, serial: Int, now: Timestamp, output: inout OutputQueue,
        make: (ListParameters, CatalogReference?) -> (rest: [UInt8], validity: Range<Timestamp>)?
    ) -> Int {
        if serial != self.serial {
            entries = Array(repeating: nil, count: Self.sets * Self.ways)
            self.serial = serial
        }
        guard let template = LineTemplate(bytes, maximum: Self.maximumLine) else { return 0 }
        let hash = template.hash(on: bytes)
        let first = Self.first(hash)
        for place in first..<first + Self.ways where hashes[place] == hash {
            guard let entry = entries[place], template.isEqual(entry.line, on: bytes), entry.validity.contains(now)
            else { continue }
            output.reply(to: template.id, of: bytes, rest: entry.rest)
            if place > first { move(place, to: first) }
            return template.length
        }
        guard let (list, catalog) = Self.list(template, bytes), let made = make(list, catalog),
            made.rest.count <= Self.maximumReply,
            made.validity.contains(now)
        else { return 0 }
        move(first + Self.ways - 1, to: first)
        entries[first] = Entry(line: template.bytes(of: bytes), rest: made.rest, validity: made.validity)
        hashes[first] = hash
        output.reply(to: template.id, of: bytes, rest: made.rest)
        return template.length
    }

    /// The first place of a hash's set.
    private static func first(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash % UInt64(sets)) * ways }

    /// Moves an entry to the first place of its set, and the entries before it one place back.
    private mutating func move(_ place: Int, to first: Int) {
        for place in stride(from: place, to: first, by: -1) {
            entries.swapAt(place, place - 1)
            hashes.swapAt(place, place - 1)
        }
    }

    /// Parameters with which a reply is not kept.
    private static let uncommon: [StaticString] = [
        "\"wait\"", "\"exclude\"", "\"unlaunched\"", "\"icons\"",
    ]

    /// The list that a line asks for; nil unless its reply depends only on these parameters and the publication.
    private static func list(
        _ template: LineTemplate, _ bytes: Span<UInt8>
    ) -> (ListParameters, CatalogReference?)? {
        let line = bytes.extracting(..<(template.length - 1))
        // Other lines are read only once, where they are answered.
        guard line.firstIndex(of: "\"list\"") != nil,
            !uncommon.contains(where: { line.firstIndex(of: $0) != nil }),
            case .single(.request(let request, let id)) = Message(line: [UInt8](copying: line)),
            case .list(let list) = request.method,
            id?.json == template.id.map({ [UInt8](copying: line.extracting($0)) }) ?? RequestID.null.json,
            !list.wait, list.exclude.isEmpty, !list.unlaunched, !list.icons
        else { return nil }
        return (list, request.catalog)
    }
}
