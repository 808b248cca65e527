/// A selection of the rows of a shared buffer: the elements of a JSON array, with commas between them.
///
/// It refers to the buffer and to the list of ranges and copies neither, so a thousand unread replies take no more memory than one.
package struct SharedRows: Sendable {
    /// A buffer of rows, each with a comma before it.
    package struct Buffer: Sendable {
        /// All rows, one after another.
        package let bytes: [UInt8]
        /// The offset of each row, and the end of the last.
        package let starts: [Int]

        /// Creates a buffer in which row n is the bytes from `starts[n]` to `starts[n + 1]`.
        package init(bytes: [UInt8], starts: [Int]) {
            self.bytes = bytes
            self.starts = starts
        }
    }

    /// The number of bytes.
    package let count: Int

    private let buffer: Buffer
    private let ranges: [Range<Int>]

    /// Selects ranges of row numbers, in order, and of these rows the first `limit` if there is a limit.
    package init(of buffer: Buffer, _ ranges: [Range<Int>], limit: Int? = nil) {
        let ranges = limit.map { Self.first($0, of: ranges) } ?? ranges
        self.buffer = buffer
        self.ranges = ranges
        count = ranges.reduce(0) { $0 + Self.bytes(of: $1, in: buffer).count } - (ranges.isEmpty ? 0 : 1)
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

    /// Calls the body with each of the slices, in order.
    package func forEachSlice(_ body: (ArraySlice<UInt8>) -> Void) {
        for index in ranges.indices { body(slice(index)) }
    }

    /// The number of slices.
    package var slices: Int { ranges.count }

    /// The slice with that number; the first one comes without the comma before its first row.
    package func slice(_ index: Int) -> ArraySlice<UInt8> {
        let bytes = Self.bytes(of: ranges[index], in: buffer)
        return buffer.bytes[index == 0 ? bytes.dropFirst() : bytes]
    }

    private static func bytes(of range: Range<Int>, in buffer: Buffer) -> Range<Int> {
        buffer.starts[range.lowerBound]..<buffer.starts[range.upperBound]
    }
}
