import PromoWire

/// A line without its id, which is found without parsing the line. Lines with the same template are the same request, so their replies
/// differ only in the id.
struct LineTemplate: Sendable {
    /// The range of the id in the line, including quotes; nil if the line has none, or one that belongs to the template.
    let id: Range<Int>?
    /// The length of the line in bytes, including its line feed.
    let length: Int

    /// The maximum length of an id, in bytes with its quotes, and of a number, in digits, so that it fits into an integer.
    private static let (maximumText, maximumDigits) = (66, 9)

    /// The template of the line at the start of the bytes; nil without a line feed among the first ones.
    /// - Parameter maximum: how many bytes are searched for it.
    init?(_ bytes: Span<UInt8>, maximum: Int) {
        guard let end = bytes.extracting(first: maximum).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = bytes.extracting(..<end)
        let name: StaticString = #""id":"#
        id = line.firstIndex(of: name).flatMap { Self.id(line, $0 + name.utf8CodeUnitCount) }
        length = end + 1
    }

    /// The range of a number without a sign, or of a short text with its quotes, that is followed by another member or the end.
    private static func id(_ line: Span<UInt8>, _ start: Int) -> Range<Int>? {
        let start = start < line.count && line[start] == UInt8(ascii: " ") ? start + 1 : start
        var at = start
        if at < line.count, line[at] == UInt8(ascii: "\"") {
            repeat {
                at += 1
                guard at < line.count, at - start < maximumText, 0x20..<0x7F ~= line[at], line[at] != UInt8(ascii: "\\")
                else { return nil }
            } while line[at] != UInt8(ascii: "\"")
            at += 1
        } else {
            while at < line.count, line[at].isDigit { at += 1 }
            guard 1...maximumDigits ~= at - start, at - start == 1 || line[start] != UInt8(ascii: "0") else {
                return nil
            }
        }
        guard at < line.count, line[at] == UInt8(ascii: ",") || line[at] == UInt8(ascii: "}") else { return nil }
        return start..<at
    }

    /// The bytes before the id; none if the line has no id.
    private var before: Range<Int> { 0..<(id?.lowerBound ?? 0) }

    /// The bytes after the id; the whole line if it has no id.
    private var behind: Range<Int> { (id?.upperBound ?? 0)..<length }

    /// The template's bytes.
    func bytes(of line: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(before.count + behind.count)
        bytes.append(copying: line.extracting(before))
        bytes.append(copying: line.extracting(behind))
        return bytes
    }

    /// Whether a line with this template has these bytes without its id.
    func isEqual(_ bytes: [UInt8], on line: Span<UInt8>) -> Bool {
        guard bytes.count == before.count + behind.count else { return false }
        let bytes = bytes.span
        return bytes.extracting(before.count...).isEqual(to: line.extracting(behind))
            && bytes.extracting(..<before.count).isEqual(to: line.extracting(before))
    }

    /// A hash of the bytes after the id, computed eight bytes at a time.
    func hash(on line: Span<UInt8>) -> UInt64 {
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
