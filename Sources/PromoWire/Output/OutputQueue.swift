/// Bytes on their way to a client, in order: what was written for this client alone, and rows that all share.
///
/// Whoever sends takes a piece at a time, so a client that does not read holds a piece and not its reply.
package struct OutputQueue: Sendable {
    private enum Part: Sendable {
        case bytes([UInt8])
        case rows(SharedRows)
    }

    /// How many bytes wait.
    package private(set) var count = 0

    private var parts: [Part] = []
    /// The part that is being taken, and how far.
    private var part = 0
    private var offset = 0
    private var cursor = SharedRows.Cursor()

    /// A queue in which nothing waits.
    package init() {}

    /// Whether nothing waits.
    package var isEmpty: Bool { count == 0 }

    /// Puts bytes behind what waits.
    package mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        parts.append(.bytes(bytes))
        count += bytes.count
    }

    /// Puts everything that was written behind what waits, and empties the writer.
    package mutating func append(_ writer: inout JSONWriter) {
        var start = 0
        for insertion in writer.insertions {
            append(Array(writer.bytes[start..<insertion.offset]))
            parts.append(.rows(insertion.rows))
            count += insertion.rows.count
            start = insertion.offset
        }
        append(start == 0 ? writer.bytes : Array(writer.bytes[start...]))
        writer.clear()
    }

    /// Hands over the next bytes, piece by piece, until one is not taken whole.
    /// - Parameter write: takes bytes, and returns how many it took; fewer than none count as none.
    package mutating func drain(_ write: (UnsafeRawBufferPointer) -> Int) {
        while part < parts.count {
            guard drainPart({ max(write($0), 0) }) else { return }
            // What was sent is let go at once: it may be an old catalog, of which this was the last reader.
            parts[part] = .bytes([])
            part += 1
            (offset, cursor) = (0, SharedRows.Cursor())
        }
        parts = []
        part = 0
    }

    /// Hands over the rest of the part; false if not all of it was taken.
    private mutating func drainPart(_ write: (UnsafeRawBufferPointer) -> Int) -> Bool {
        switch parts[part] {
        case .bytes(let bytes):
            let taken = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
            offset += taken
            count -= taken
            return offset == bytes.count
        case .rows(let rows):
            let taken = rows.isContiguous ? rows.hand(over: &cursor, write) : rows.gather(from: &cursor, write)
            count -= taken
            return rows.isEnd(cursor)
        }
    }
}
