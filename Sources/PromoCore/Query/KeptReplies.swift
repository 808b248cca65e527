package import PromoWire

/// Replies to `list` that are the same bytes but for their id until the next publication: made once, and kept.
///
/// Each hash of what was asked has four places, and of those that meet there the four that were used last stay.
package struct KeptReplies: Sendable {
    private struct Entry: Sendable {
        /// Host, language and limit as they stood on the line, told apart by bytes that stand in none of them.
        let key: [UInt8]
        /// The reply behind its id, with the line feed.
        let rest: [UInt8]
        let validity: Range<Timestamp>
    }

    /// With replies of at most 8 KiB, 2 MiB at most.
    private static let (sets, ways) = (64, 4)
    private static let maximumReply = 8192

    /// Set by set, in each the entry that was used last first.
    private var entries: [Entry?] = Array(repeating: nil, count: sets * ways)
    /// The publication that the entries were made from.
    private var serial = 0
    private var key: [UInt8] = []

    /// No replies.
    package init() {}

    /// The reply behind its id, kept or made now.
    /// - Parameters:
    ///   - serial: names the publication that answers are made from now.
    ///   - make: the reply behind its id, and how long it is right; nil for one that must not be kept.
    /// - Returns: nil for a reply that is not kept, or too large to be.
    package mutating func rest(
        for list: CommonList, on line: UnsafeRawBufferPointer, serial: Int, now: Timestamp,
        make: (ListParameters) -> (rest: [UInt8], validity: Range<Timestamp>)?
    ) -> [UInt8]? {
        if serial != self.serial {
            entries = Array(repeating: nil, count: Self.sets * Self.ways)
            self.serial = serial
        }
        setKey(list, line)
        let first = Int(truncatingIfNeeded: hash % UInt64(Self.sets)) * Self.ways
        for place in first..<first + Self.ways {
            guard let entry = entries[place], entry.key == key else { continue }
            guard entry.validity.contains(now) else { break }
            if place > first { move(place, to: first) }
            return entry.rest
        }
        guard let made = make(ListParameters(list, line)), made.rest.count <= Self.maximumReply,
            made.validity.contains(now)
        else { return nil }
        move(first + Self.ways - 1, to: first)
        entries[first] = Entry(key: key, rest: made.rest, validity: made.validity)
        return made.rest
    }

    /// Moves an entry before those of its set that were used later so far.
    private mutating func move(_ place: Int, to first: Int) {
        for place in stride(from: place, to: first, by: -1) { entries.swapAt(place, place - 1) }
    }

    private mutating func setKey(_ list: CommonList, _ line: UnsafeRawBufferPointer) {
        key.removeAll(keepingCapacity: true)
        add(list.host, line)
        add(list.language, line)
        var rest = list.limit ?? 0
        while rest > 0 {
            key.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    private mutating func add(_ range: Range<Int>?, _ line: UnsafeRawBufferPointer) {
        if let range { key.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[range])) }
        // No text that is common holds these two.
        key.append(range == nil ? 0 : 1)
    }

    /// FNV-1a.
    private var hash: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash ^ hash >> 32
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
