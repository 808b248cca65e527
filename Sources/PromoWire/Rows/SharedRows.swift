/// Some rows of a catalog in a language, which any number of replies share: the elements of a JSON array, with the commas between
/// them.
///
/// It refers to the rows and to the list of ranges and copies neither, so a thousand unread replies cost what one does.
package struct SharedRows: Sendable {
    /// A place in the bytes, to go on from.
    package struct Cursor: Sendable {
        fileprivate var range = 0
        /// The slice of the range: in one language the taglines are slices of their own, between what lies around them.
        fileprivate var slice = 0
        fileprivate var offset = 0

        /// The first byte.
        package init() {}
    }

    /// How much of slices that lie scattered is brought together at a time.
    private static let gathered = 65_536

    /// How many bytes there are.
    package let count: Int

    private let rows: AppRows
    private let ranges: [Range<Int>]
    private let language: TaglineLanguage

    /// The rows of those ranges of positions, none of them empty, in order; of the first `limit` rows, if there is a limit.
    package init(of rows: AppRows, _ ranges: [Range<Int>], in language: TaglineLanguage, limit: Int? = nil) {
        let ranges = limit.map { Self.first($0, of: ranges) } ?? ranges
        self.rows = rows
        self.ranges = ranges
        self.language = language
        count = ranges.reduce(0) { $0 + rows.count(of: $1, in: language) } - (ranges.isEmpty ? 0 : 1)
    }

    private static func first(_ limit: Int, of ranges: [Range<Int>]) -> [Range<Int>] {
        var remaining = limit
        var first: [Range<Int>] = []
        for range in ranges where remaining > 0 {
            first.append(range.prefix(remaining))
            remaining -= range.count
        }
        return first
    }

    /// Whether the bytes lie together, in as many slices as there are ranges.
    var isContiguous: Bool { language == .all }

    /// Whether a place is behind the last byte.
    func isEnd(_ cursor: Cursor) -> Bool { cursor.range == ranges.count }

    /// Hands over slices from a place on, until one is not taken whole, and moves the place.
    /// - Parameter take: takes bytes, and returns how many it took.
    /// - Returns: how many bytes were taken.
    @discardableResult
    func hand(over cursor: inout Cursor, _ take: (UnsafeRawBufferPointer) -> Int) -> Int {
        rows.bytes.withUnsafeBytes { bytes in
            var count = 0
            while !isEnd(cursor) {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[slice(cursor).dropFirst(cursor.offset)])
                let taken = rest.isEmpty ? 0 : take(rest)
                count += taken
                cursor.offset += taken
                guard taken == rest.count else { break }
                advance(&cursor)
            }
            return count
        }
    }

    /// Hands over bytes from a place on in few large pieces, until one is not taken whole, and moves the place.
    /// - Parameter take: takes bytes, and returns how many it took.
    /// - Returns: how many bytes were taken.
    func gather(from cursor: inout Cursor, _ take: (UnsafeRawBufferPointer) -> Int) -> Int {
        withUnsafeTemporaryAllocation(byteCount: Self.gathered, alignment: 1) { buffer in
            var count = 0
            while !isEnd(cursor) {
                var next = cursor
                let filled = fill(buffer, from: &next)
                let taken = take(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
                count += taken
                guard taken == filled else {
                    skip(taken, from: &cursor)
                    break
                }
                cursor = next
            }
            return count
        }
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer, from cursor: inout Cursor) -> Int {
        var filled = 0
        return hand(over: &cursor) { bytes in
            let part = bytes.prefix(buffer.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: .init(rebasing: part))
            filled += part.count
            return part.count
        }
    }

    private func skip(_ count: Int, from cursor: inout Cursor) {
        var left = count
        _ = hand(over: &cursor) { bytes in
            defer { left -= min(left, bytes.count) }
            return min(left, bytes.count)
        }
    }

    private func advance(_ cursor: inout Cursor) {
        cursor.offset = 0
        cursor.slice += 1
        let slices = isContiguous ? 1 : 2 * ranges[cursor.range].count + 1
        if cursor.slice == slices { (cursor.range, cursor.slice) = (cursor.range + 1, 0) }
    }

    private func slice(_ cursor: Cursor) -> Range<Int> {
        let range = ranges[cursor.range]
        let all = rows.all(range)
        // The comma before the first row of all is left out.
        let start = cursor.range == 0 ? all.lowerBound : all.lowerBound - 1
        guard case .one(let language) = language else { return start..<all.upperBound }
        let position = range.lowerBound + cursor.slice / 2
        if !cursor.slice.isMultiple(of: 2) { return rows.text(at: position, in: language) }
        let from = position == range.lowerBound ? start : rows.tagline(at: position - 1).upperBound
        return from..<(position == range.upperBound ? all.upperBound : rows.tagline(at: position).lowerBound)
    }
}
