/// A line without its id. Lines with the same template are the same request, so their replies differ only in the id.
///
/// Most clients write the version and the id first, and number their requests. The id of such a line is found without reading the
/// rest, which saves a third of the time of a `list` under load.
package struct LineTemplate: Sendable {
    /// The range of the id in the line; nil if the line has none.
    package let id: Range<Int>?
    /// The length of the line in bytes, including its line feed.
    package let length: Int

    private static let start: StaticString = #"{"jsonrpc":"2.0","id":"#

    /// The template of the line at the start of the bytes; nil if the line does not begin as most clients write it, or has no line
    /// feed.
    package init?(_ bytes: Span<UInt8>) {
        var at = Self.start.utf8CodeUnitCount
        guard bytes.count > at, bytes.extracting(..<at).isEqual(to: Self.start), let id = CommonList.id(bytes, &at),
            let end = bytes.extracting(at...).firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        self.id = id
        length = at + end + 1
    }

    /// The template of a common list.
    package init(_ list: CommonList) {
        id = list.id
        length = list.length
    }

    /// The bytes before the id; none if the line has no id.
    private var before: Range<Int> { 0..<(id?.lowerBound ?? 0) }

    /// The bytes after the id; the whole line if it has no id.
    private var behind: Range<Int> { (id?.upperBound ?? 0)..<length }

    /// The template's bytes.
    package func bytes(of line: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(before.count + behind.count)
        bytes.append(copying: line.extracting(before))
        bytes.append(copying: line.extracting(behind))
        return bytes
    }

    /// Whether a line with this template has these bytes without its id.
    package func isEqual(_ bytes: [UInt8], on line: Span<UInt8>) -> Bool {
        guard bytes.count == before.count + behind.count else { return false }
        let bytes = bytes.span
        return bytes.extracting(before.count...).isEqual(to: line.extracting(behind))
            && bytes.extracting(..<before.count).isEqual(to: line.extracting(before))
    }

    /// A hash of the bytes after the id, computed eight bytes at a time.
    package func hash(on line: Span<UInt8>) -> UInt64 {
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
