/// The bytes to send to a client, in order: bytes of its own, and references to rows and bytes that all replies share.
package struct OutputQueue: Sendable {
    private enum Part: Sendable {
        case bytes([UInt8])
        case shared(JSONWriter.Insertion.Content)
    }

    /// The number of bytes in the queue.
    package private(set) var count = 0

    private var parts: [Part] = []
    // The position of the next byte: its part, and its place in that part.
    private var part = 0
    private var offset = 0
    private var cursor = SharedRows.Cursor()

    /// Creates an empty queue.
    package init() {}

    /// Whether the queue is empty.
    package var isEmpty: Bool { count == 0 }

    /// Appends bytes.
    package mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        parts.append(.bytes(bytes))
        count += bytes.count
    }

    /// Moves everything that was written from the writer to the end of the queue.
    package mutating func append(_ writer: inout JSONWriter) {
        var start = 0
        for insertion in writer.insertions {
            append(Array(writer.bytes[start..<insertion.offset]))
            parts.append(.shared(insertion.content))
            count += insertion.content.count
            start = insertion.offset
        }
        append(start == 0 ? writer.bytes : Array(writer.bytes[start...]))
        writer.clear()
    }

    /// Passes the bytes to a closure, piece by piece, until it does not take a whole piece, and removes those that it took.
    /// - Parameter write: returns how many bytes it took; a negative number counts as none.
    package mutating func drain(_ write: (Span<UInt8>) -> Int) {
        while part < parts.count {
            guard drainPart({ max(write($0), 0) }) else { return }
            // A part that was sent is released at once, since it may hold the last reference to an old catalog.
            parts[part] = .bytes([])
            part += 1
            (offset, cursor) = (0, SharedRows.Cursor())
        }
        parts = []
        part = 0
    }

    /// Passes the rest of the part to a closure.
    /// - Returns: false if it did not take all of it.
    private mutating func drainPart(_ write: (Span<UInt8>) -> Int) -> Bool {
        switch parts[part] {
        case .bytes(let bytes): return drainBytes(bytes, write)
        case .shared(.bytes(let shared)): return drainBytes(shared.bytes, write)
        case .shared(.rows(let rows)):
            let taken = rows.drain(from: &cursor, write)
            count -= taken
            return rows.isEnd(cursor)
        }
    }

    private mutating func drainBytes(_ bytes: [UInt8], _ write: (Span<UInt8>) -> Int) -> Bool {
        let taken = write(bytes.span.extracting(offset...))
        offset += taken
        count -= taken
        return offset == bytes.count
    }
}
