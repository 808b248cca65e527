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
    /// The number of bytes in the parts.
    private var partBytes = 0
    /// The bytes that were written after the parts.
    package var json = JSONWriter()

    /// Creates an empty queue.
    package init() {}

    /// Whether the queue is empty.
    package var isEmpty: Bool { parts.isEmpty && json.bytes.isEmpty }

    /// The number of bytes in the queue.
    package var size: Int { partBytes + json.bytes.count }

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
        let count = ranges.reduce(0) { $0 + $1.count }
        guard count > Self.copied else {
            let bytes = shared.bytes
            return ranges.forEach { json.append(bytes: bytes.span.extracting($0)) }
        }
        closePart()
        parts += ranges.map { Part(shared: shared, range: $0) }
        partBytes += count
    }

    /// Moves everything from another queue to the end of this one. The other one keeps its buffer.
    package mutating func append(_ other: inout OutputQueue) {
        if !other.parts.isEmpty { closePart() }
        // A list may have thousands of parts, which are moved.
        if parts.isEmpty { swap(&parts, &other.parts) } else { parts += other.parts }
        partBytes += other.partBytes
        json.append(bytes: other.json.bytes)
        other.clear()
    }

    /// Makes a part of the bytes that follow the parts.
    private mutating func closePart() {
        guard !json.bytes.isEmpty else { return }
        // A copy, because the buffer is usually larger.
        parts.append(Part(shared: SharedBytes(Array(json.bytes[...])), range: json.bytes.indices))
        partBytes += json.bytes.count
        json.removeFirst(json.bytes.count)
    }

    /// Removes everything, and keeps the buffer.
    package mutating func clear() {
        (parts, partBytes) = ([], 0)
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
        partBytes -= count
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

/// Replies, each an object without a line feed. Without an id nothing is written, because a notification gets no reply.
extension OutputQueue {
    /// The beginning of every reply.
    private static let start = Array(#"{"jsonrpc":"2.0","id":"#.utf8)

    /// Writes a reply with a result.
    package mutating func reply(to id: RequestID?, _ result: some MethodResult) {
        if let id { json.reply(to: id, result: result.write) }
    }

    /// Writes a reply whose `result` the closure writes.
    package mutating func reply(to id: RequestID?, result: (inout OutputQueue) -> Void) {
        guard let id else { return }
        json.append(bytes: Self.start)
        json.append(bytes: id.json)
        json.append(#","result":"#)
        result(&self)
        json.append("}")
    }

    /// Writes an error reply.
    package mutating func reply(to id: RequestID?, error: RequestError) {
        if let id { json.reply(to: id, error: error) }
    }

    /// Writes a reply in which only the id is new.
    /// - Parameters:
    ///   - id: the range of the id in the request's line; nil for null.
    ///   - line: the request's line.
    ///   - rest: the reply after the id, including the line feed.
    package mutating func reply(to id: Range<Int>?, of line: Span<UInt8>, rest: [UInt8]) {
        json.append(bytes: Self.start)
        if let id { json.append(bytes: line.extracting(id)) } else { json.append(bytes: RequestID.null.json) }
        json.append(bytes: rest)
    }

    /// The bytes after the id of the only reply here, with a line feed; nil if a part of the reply is shared.
    package func rest(behind id: RequestID) -> [UInt8]? {
        isWhole ? json.bytes.dropFirst(Self.start.count + id.json.count) + [UInt8(ascii: "\n")] : nil
    }
}

/// Bytes that replies share, so that a thousand unread replies take no more memory than one.
package final class SharedBytes: Sendable {
    /// The bytes.
    package let bytes: [UInt8]

    /// Creates bytes to share.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}
