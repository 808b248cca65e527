package import PromoWire

/// The bytes to send to a client, in order: bytes of its own, and references to rows and pictures that all replies share.
package struct OutputQueue: Sendable {
    /// A range of shared bytes, never an empty one.
    private struct Part: Sendable {
        let shared: SharedBytes
        var range: Range<Int>
    }

    /// Up to this many shared bytes are copied, because that is cheaper than splitting the text into parts.
    private static let copied = 8192
    /// The size of the pieces into which shorter parts are gathered, in bytes.
    private static let pieceBytes = 65_536

    private var parts: [Part] = []
    /// The bytes that were written after the parts.
    package var json = JSONWriter()

    /// Creates an empty queue.
    package init() {}

    /// Whether the queue is empty.
    package var isEmpty: Bool { parts.isEmpty && json.bytes.isEmpty }

    /// The number of bytes in the queue.
    package var size: Int { parts.reduce(json.bytes.count) { $0 + $1.range.count } }

    /// Whether nothing in it is shared, so that its whole text is in ``json``.
    var isWhole: Bool { parts.isEmpty }

    /// Appends an array of the rows at some positions, in order; if they are many, it refers to them instead of copying them.
    package mutating func array(of rows: ListRows, _ positions: [Range<Int>]) {
        json.append("[")
        // The comma before the first row is left out.
        let ranges = positions.enumerated().map { rows.offsets(of: $1).dropFirst($0 == 0 ? 1 : 0) }
        append(rows.bytes, ranges)
        json.append("]")
    }

    /// Appends bytes; if they are many, it refers to them instead of copying them.
    package mutating func append(_ shared: SharedBytes) {
        append(shared, [shared.bytes.indices])
    }

    private mutating func append(_ shared: SharedBytes, _ ranges: [Range<Int>]) {
        guard ranges.reduce(0, { $0 + $1.count }) > Self.copied else {
            let bytes = shared.bytes
            return ranges.forEach { json.append(bytes: bytes.span.extracting($0)) }
        }
        closePart()
        parts += ranges.map { Part(shared: shared, range: $0) }
    }

    /// Moves everything from another queue to the end of this one. The other one keeps its buffer.
    package mutating func append(_ other: inout OutputQueue) {
        if !other.parts.isEmpty { closePart() }
        parts += other.parts
        json.append(bytes: other.json.bytes)
        other.clear()
    }

    /// Makes a part of the bytes that follow the parts.
    private mutating func closePart() {
        guard !json.bytes.isEmpty else { return }
        // A copy, because the buffer is usually larger.
        parts.append(Part(shared: SharedBytes(Array(json.bytes[...])), range: json.bytes.indices))
        json.removeFirst(json.bytes.count)
    }

    /// Removes everything, and keeps the buffer.
    package mutating func clear() {
        parts = []
        json.removeFirst(json.bytes.count)
    }

    /// Passes the bytes to a closure, piece by piece, until it does not take a whole piece, and removes those that it took.
    /// - Parameter write: returns how many bytes it took; a negative number counts as none.
    package mutating func drain(_ write: (Span<UInt8>) -> Int) {
        while let first = parts.first {
            let isLong = first.range.count >= Self.pieceBytes || parts.count == 1
            let piece = isLong ? first.shared.bytes : gathered
            let range = isLong ? first.range : piece.indices
            let taken = max(write(piece.span.extracting(range)), 0)
            skip(taken)
            guard taken == range.count else { return }
        }
        if !json.bytes.isEmpty { json.removeFirst(max(write(json.bytes.span), 0)) }
    }

    /// A piece of the next parts, which the client would otherwise get one by one.
    private var gathered: [UInt8] {
        var piece: [UInt8] = []
        piece.reserveCapacity(Self.pieceBytes)
        for part in parts {
            let bytes = part.shared.bytes
            piece.append(copying: bytes.span.extracting(part.range.prefix(Self.pieceBytes - piece.count)))
            if piece.count == Self.pieceBytes { break }
        }
        return piece
    }

    private mutating func skip(_ count: Int) {
        var (sent, left) = (0, count)
        while sent < parts.count, left >= parts[sent].range.count {
            left -= parts[sent].range.count
            sent += 1
        }
        // At once, because a part may have the last reference to an old catalog.
        parts.removeFirst(sent)
        if left > 0 { parts[0].range = parts[0].range.dropFirst(left) }
    }
}
