import Glibc

/// A line without its id: lines of the same template ask for the same, and their replies differ in nothing but the id.
///
/// Most clients write the version and the id first, and number their requests; the id of such a line is found without reading the
/// rest, which saves a third of the time that a `list` takes when many come at once.
package struct LineTemplate: Sendable {
    /// The bytes of the id in the line; nil if the line has none.
    package let id: Range<Int>?
    /// How many bytes the line has, its line feed included.
    package let length: Int

    private static let start: StaticString = #"{"jsonrpc":"2.0","id":"#

    /// The template of the line at the start of some bytes; nil if it does not begin as most clients begin it, or has no end.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var at = Self.start.utf8CodeUnitCount
        guard bytes.count > at, let base = bytes.baseAddress, memcmp(base, Self.start.utf8Start, at) == 0,
            let id = CommonList.id(bytes, &at), let end = memchr(base + at, 0x0A, bytes.count - at)
        else { return nil }
        self.id = id
        length = UnsafeRawPointer(end) - base + 1
    }

    /// The template of a common list.
    package init(_ list: CommonList) {
        id = list.id
        length = list.length
    }

    /// The bytes before the id and those behind it; a line without an id is behind it whole.
    private func parts(of line: UnsafeRawBufferPointer) -> (UnsafeRawBufferPointer, UnsafeRawBufferPointer) {
        (
            UnsafeRawBufferPointer(rebasing: line[..<(id?.lowerBound ?? 0)]),
            UnsafeRawBufferPointer(rebasing: line[(id?.upperBound ?? 0)..<length])
        )
    }

    /// The template's bytes.
    package func bytes(of line: UnsafeRawBufferPointer) -> [UInt8] {
        let (before, behind) = parts(of: line)
        return Array(before) + Array(behind)
    }

    /// Whether a line with this template has those bytes without its id.
    package func isEqual(_ bytes: [UInt8], on line: UnsafeRawBufferPointer) -> Bool {
        let (before, behind) = parts(of: line)
        guard bytes.count == before.count + behind.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let behindBase = behind.baseAddress else { return false }
            return memcmp(base + before.count, behindBase, behind.count) == 0
                && before.baseAddress.map { memcmp(base, $0, before.count) == 0 } ?? true
        }
    }

    /// A hash of the template's bytes behind the id, eight at a time.
    package func hash(on line: UnsafeRawBufferPointer) -> UInt64 {
        let (_, behind) = parts(of: line)
        var hash = UInt64(truncatingIfNeeded: behind.count)
        var at = 0
        while at + 8 <= behind.count {
            hash = (hash ^ behind.loadUnaligned(fromByteOffset: at, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
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
