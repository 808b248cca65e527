package import PromoWire

/// A cache of replies to `list`. Until the next publication, lines that differ only in their id get replies that differ only in
/// their id, so each reply is made once and kept under its line without the id.
package struct KeptReplies: Sendable {
    private struct Entry: Sendable {
        /// The line without its id.
        let line: [UInt8]
        let rest: [UInt8]
        let validity: Range<Timestamp>

        var size: Int { line.count + rest.count }
    }

    /// The limits of a line and a reply, which have to be worth keeping, and of all together, in bytes.
    private static let (maximumLine, maximumReply, maximumTotal) = (512, 65_536, 4 << 20)
    /// The hash of a line selects a set of the cache.
    private static let (sets, ways) = (64, 4)

    /// The entries, set by set.
    private var entries: [Entry?] = []
    /// The hashes of the entries' lines, in an array of their own: reading an entry copies it, which counts references.
    private var hashes: [UInt64] = []
    /// The size of all entries, in bytes.
    private var total = 0
    /// The number of entries so far, which selects the one in a set that makes room for the next.
    private var count = 0
    /// The serial number of the publication that the entries were made from.
    private var serial = 0

    /// Creates an empty cache.
    package init() { empty() }

    private mutating func empty() {
        entries = Array(repeating: nil, count: Self.sets * Self.ways)
        hashes = Array(repeating: 0, count: Self.sets * Self.ways)
        total = 0
    }

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
            empty()
            self.serial = serial
        }
        guard let template = LineTemplate(bytes, maximum: Self.maximumLine) else { return 0 }
        let hash = template.hash(on: bytes)
        let first = Int(truncatingIfNeeded: hash % UInt64(Self.sets)) * Self.ways
        for place in first..<first + Self.ways where hashes[place] == hash {
            guard let entry = entries[place], template.isEqual(entry.line, on: bytes), entry.validity.contains(now)
            else { continue }
            output.reply(to: template.id, of: bytes, rest: entry.rest)
            return template.length
        }
        guard let (list, catalog) = Self.list(template, bytes), let made = make(list, catalog),
            made.rest.count <= Self.maximumReply,
            made.validity.contains(now)
        else { return 0 }
        keep(
            Entry(line: template.bytes(of: bytes), rest: made.rest, validity: made.validity), hash,
            in: first..<first + Self.ways)
        output.reply(to: template.id, of: bytes, rest: made.rest)
        return template.length
    }

    /// Keeps an entry in a set, perhaps in the place of another; without room for it, no other is kept.
    private mutating func keep(_ entry: Entry, _ hash: UInt64, in set: Range<Int>) {
        let place = set.first { entries[$0] == nil } ?? set.lowerBound + count % Self.ways
        if total + entry.size > Self.maximumTotal { empty() }
        total += entry.size - (entries[place]?.size ?? 0)
        (entries[place], hashes[place]) = (entry, hash)
        count += 1
    }

    /// Parameters with which a reply is not kept.
    private static let uncommon: [StaticString] = ["\"wait\"", "\"icons\""]

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
            !list.wait, !list.icons
        else { return nil }
        return (list, request.catalog)
    }
}
