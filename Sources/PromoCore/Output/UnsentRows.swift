import PromoWire

/// What is left to send of the rows of a list, as the elements of an array.
///
/// It refers to the rows and, of a host with a rule, to the ranges of the rule, so a thousand unread lists take no more memory than one.
struct UnsentRows: Sendable {
    /// The size of the pieces into which short ranges are gathered, in bytes.
    private static let pieceBytes = 65_536

    private let rows: ListRows
    private let ranges: [Range<Int>]
    /// The range that is sent now, and how many of its bytes were.
    private var (index, sent) = (0, 0)
    /// The number of bytes that are left.
    private(set) var size: Int

    /// The rows at some positions, in order.
    init(_ rows: ListRows, _ ranges: [Range<Int>]) {
        (self.rows, self.ranges) = (rows, ranges)
        size = ranges.reduce(0) { $0 + rows.offsets(of: $1).count }
        // The comma before the first row is left out.
        if size > 0 { skip(1) }
    }

    /// Passes the bytes to a closure, piece by piece, until it does not take a whole one.
    /// - Parameter write: returns how many bytes it took; a negative number counts as none.
    mutating func drain(_ write: (Span<UInt8>) -> Int) {
        let bytes = rows.bytes.bytes
        while size > 0 {
            let offsets = rows.offsets(of: ranges[index]).dropFirst(sent)
            let isLong = offsets.count >= Self.pieceBytes || offsets.count == size
            let gathered = isLong ? [] : gather()
            let taken = max(write(isLong ? bytes.span.extracting(offsets) : gathered.span), 0)
            skip(taken)
            guard taken == (isLong ? offsets.count : gathered.count) else { return }
        }
    }

    /// A piece of the next bytes, which the client would otherwise get range by range.
    private func gather() -> [UInt8] {
        let bytes = rows.bytes.bytes
        var (piece, index, sent) = ([UInt8](), index, sent)
        piece.reserveCapacity(Self.pieceBytes)
        while index < ranges.count, piece.count < Self.pieceBytes {
            let offsets = rows.offsets(of: ranges[index]).dropFirst(sent).prefix(Self.pieceBytes - piece.count)
            piece.append(copying: bytes.span.extracting(offsets))
            (index, sent) = (index + 1, 0)
        }
        return piece
    }

    private mutating func skip(_ count: Int) {
        size -= count
        sent += count
        while index < ranges.count, sent >= rows.offsets(of: ranges[index]).count {
            sent -= rows.offsets(of: ranges[index]).count
            index += 1
        }
    }
}
