package import PromoWire

/// Replies to `list` that are the same bytes but for their id until the next publication: made once, and kept by the lines that
/// asked for them, without their ids.
///
/// Each hash of a line has four places, and of those that meet there the four that were used last stay.
package struct KeptReplies: Sendable {
    /// A reply to a line.
    package struct Reply: Sendable {
        /// The bytes of the id in the line; nil for a reply with the id null.
        package let id: Range<Int>?
        /// The reply behind its id, with the line feed.
        package let rest: [UInt8]
        /// How many bytes of the line are answered, its line feed included.
        package let length: Int
    }

    private struct Entry: Sendable {
        /// The line without its id.
        let line: [UInt8]
        let rest: [UInt8]
        let validity: Range<Timestamp>
    }

    /// With lines of at most 512 bytes and replies of at most 8 KiB, some 2 MiB at most.
    private static let (sets, ways) = (64, 4)
    private static let (maximumLine, maximumReply) = (512, 8192)

    /// Set by set, in each the entry that was used last first.
    private var entries: [Entry?] = Array(repeating: nil, count: sets * ways)
    /// The hashes of the entries' lines, apart: to look at one copies no entry, which would count its references.
    private var hashes: [UInt64] = Array(repeating: 0, count: sets * ways)
    /// The publication that the entries were made from.
    private var serial = 0

    /// No replies.
    package init() {}

    /// The reply to the line at the start of some bytes, kept or made now.
    /// - Parameters:
    ///   - serial: names the publication that answers are made from now.
    ///   - make: the reply behind its id, and how long it is right; nil for one that must not be kept.
    /// - Returns: nil for every line but a common list, and for a reply that is not kept, or too large to be.
    package mutating func reply(
        to bytes: UnsafeRawBufferPointer, serial: Int, now: Timestamp,
        make: (ListParameters) -> (rest: [UInt8], validity: Range<Timestamp>)?
    ) -> Reply? {
        if serial != self.serial {
            entries = Array(repeating: nil, count: Self.sets * Self.ways)
            self.serial = serial
        }
        if let template = LineTemplate(bytes), let rest = find(template, bytes, now) {
            return Reply(id: template.id, rest: rest, length: template.length)
        }
        guard let list = CommonList(bytes) else { return nil }
        let template = LineTemplate(list)
        if let rest = find(template, bytes, now) {
            return Reply(id: template.id, rest: rest, length: template.length)
        }
        guard list.length <= Self.maximumLine, let made = make(ListParameters(list, bytes)),
            made.rest.count <= Self.maximumReply, made.validity.contains(now)
        else { return nil }
        let hash = template.hash(on: bytes)
        let first = Self.first(hash)
        move(first + Self.ways - 1, to: first)
        entries[first] = Entry(line: template.bytes(of: bytes), rest: made.rest, validity: made.validity)
        hashes[first] = hash
        return Reply(id: template.id, rest: made.rest, length: template.length)
    }

    private mutating func find(
        _ template: LineTemplate, _ line: UnsafeRawBufferPointer, _ now: Timestamp
    ) -> [UInt8]? {
        let hash = template.hash(on: line)
        let first = Self.first(hash)
        for place in first..<first + Self.ways where hashes[place] == hash {
            guard let entry = entries[place], template.isEqual(entry.line, on: line) else { continue }
            guard entry.validity.contains(now) else { return nil }
            if place > first { move(place, to: first) }
            return entry.rest
        }
        return nil
    }

    /// The first place of a hash.
    private static func first(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash % UInt64(sets)) * ways }

    /// Moves an entry before those of its set that were used later so far.
    private mutating func move(_ place: Int, to first: Int) {
        for place in stride(from: place, to: first, by: -1) {
            entries.swapAt(place, place - 1)
            hashes.swapAt(place, place - 1)
        }
    }
}

extension ListParameters {
    /// What a common list asks for.
    package init(_ list: CommonList, _ line: UnsafeRawBufferPointer) {
        func text(_ range: Range<Int>?) -> String? {
            range.map { String(decoding: UnsafeRawBufferPointer(rebasing: line[$0]), as: UTF8.self) }
        }
        self.init(host: text(list.host), language: text(list.language).map(TaglineLanguage.init), limit: list.limit)
    }
}
