package import PromoWire

/// A selection of a catalog's rows in a language, shared by any number of replies: the elements of a JSON array, with commas between
/// them.
///
/// It refers to the rows and the ranges without copying them, so a thousand unread replies take no more memory than one.
package struct SharedRows: Sendable {
    /// A position in the bytes, from which to continue.
    package struct Cursor: Sendable {
        fileprivate var range = 0
        /// The slice of the range. In one language, each tagline is a slice, and so is everything between two of them.
        fileprivate var slice = 0
        fileprivate var offset = 0

        /// Creates a cursor at the first byte.
        package init() {}
    }

    /// The size of the buffer on the stack into which scattered slices are gathered, in bytes. The kernel wakes the client for each
    /// piece, and divides those that are longer than half of the socket's own buffer.
    private static let gathered = 98_304

    /// The size of the rows in all languages, in bytes.
    let size: Int

    private let rows: AppRows
    private let ranges: [Range<Int>]
    private let language: TaglineLanguage

    /// Selects ranges of positions, none of them empty, in order, and of these rows the first `limit` if there is a limit.
    package init(of rows: AppRows, _ ranges: [Range<Int>], in language: TaglineLanguage, limit: Int? = nil) {
        let ranges = limit.map { Self.first($0, of: ranges) } ?? ranges
        self.rows = rows
        self.ranges = ranges
        self.language = language
        size = ranges.reduce(0) { $0 + rows.size(of: $1) }
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

    /// Whether each range is one slice.
    private var isContiguous: Bool { if case .all = language { true } else { false } }

    /// Whether a cursor is after the last byte.
    func isEnd(_ cursor: Cursor) -> Bool { cursor.range == ranges.count }

    /// Passes the bytes to a closure, in a few large pieces, until it does not take a whole one, and advances the cursor.
    /// - Parameter take: returns how many bytes it took.
    func drain(from cursor: inout Cursor, _ take: (Span<UInt8>) -> Int) {
        if isContiguous { hand(over: &cursor, take) } else { gather(from: &cursor, take) }
    }

    /// Passes slices to a closure until it does not take a whole one, and advances the cursor.
    /// - Parameter take: returns how many bytes it took.
    func hand(over cursor: inout Cursor, _ take: (Span<UInt8>) -> Int) {
        rows.withParts { bytes, index in
            while !isEnd(cursor) {
                let slice = slice(cursor, index)
                let rest = bytes.extracting(slice.lowerBound + cursor.offset..<slice.upperBound)
                let taken = rest.isEmpty ? 0 : take(rest)
                cursor.offset += taken
                guard taken == rest.count else { return }
                advance(&cursor)
            }
        }
    }

    /// Copies scattered slices into a buffer, and passes that.
    private func gather(from cursor: inout Cursor, _ take: (Span<UInt8>) -> Int) {
        // The buffer is used only in this closure, and only its part that was filled is read.
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.gathered) { buffer in
            while !isEnd(cursor) {
                var next = cursor
                let filled = unsafe fill(buffer, from: &next)
                let taken = unsafe take(buffer.span.extracting(..<filled))
                guard taken == filled else { return skip(taken, from: &cursor) }
                cursor = next
            }
        }
    }

    /// Fills a buffer from its start, and returns the number of bytes. An array would take a third longer for a large list.
    private func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>, from cursor: inout Cursor) -> Int {
        var filled = 0
        hand(over: &cursor) { slice in
            let part = slice.extracting(first: buffer.count - filled)
            // The part is no longer than what is left of the buffer.
            unsafe part.withUnsafeBufferPointer { part in
                _ = unsafe buffer.extracting(filled...).initialize(fromContentsOf: part)
            }
            filled += part.count
            return part.count
        }
        return filled
    }

    private func skip(_ count: Int, from cursor: inout Cursor) {
        var left = count
        hand(over: &cursor) { bytes in
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

    private func slice(_ cursor: Cursor, _ index: Span<AppRows.Row>) -> Range<Int> {
        let range = ranges[cursor.range]
        // The comma before the first row of the first range is left out.
        let start = Int(index[range.lowerBound].start) + (cursor.range == 0 ? 1 : 0)
        let end = Int(index[range.upperBound].start)
        guard case .one(let language) = language else { return start..<end }
        let position = range.lowerBound + cursor.slice / 2
        if !cursor.slice.isMultiple(of: 2) { return index[position].text(in: language) }
        let from = position == range.lowerBound ? start : index[position - 1].taglineEnd
        return from..<(position == range.upperBound ? end : Int(index[position].tagline))
    }
}
