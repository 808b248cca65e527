/// Some rows of a buffer that any number of replies share: the elements of a JSON array, with the commas between them.
///
/// It refers to the buffer and to the list of ranges and copies neither, so a thousand unread replies cost what one does.
package struct SharedRows: Sendable {
    /// A buffer of rows, each with a comma before it.
    package struct Buffer: Sendable {
        /// All rows, one behind the other.
        package let bytes: [UInt8]
        /// Where each row begins, and the end of the last.
        package let starts: [Int]

        /// A buffer in which row n lies between `starts[n]` and `starts[n + 1]`.
        package init(bytes: [UInt8], starts: [Int]) {
            self.bytes = bytes
            self.starts = starts
        }
    }

    /// How many bytes there are.
    package let count: Int

    private let buffer: Buffer
    private let ranges: [Range<Int>]

    /// The rows of those ranges of row numbers, in order; of the first `limit` rows, if there is a limit.
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

    /// How many slices there are.
    package var slices: Int { ranges.count }

    /// The slice of that number, without the comma before the first row of all.
    package func slice(_ index: Int) -> ArraySlice<UInt8> {
        let bytes = Self.bytes(of: ranges[index], in: buffer)
        return buffer.bytes[index == 0 ? bytes.dropFirst() : bytes]
    }

    private static func bytes(of range: Range<Int>, in buffer: Buffer) -> Range<Int> {
        buffer.starts[range.lowerBound]..<buffer.starts[range.upperBound]
    }
}
