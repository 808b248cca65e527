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
    /// The part that is being taken, the slice in it and what of that is taken already.
    private var part = 0
    private var slice = 0
    private var offset = 0

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

    /// Takes the next bytes, `maximum` at most, and calls the body with each slice of them.
    package mutating func take(_ maximum: Int, _ body: (ArraySlice<UInt8>) -> Void) {
        var room = maximum
        while room > 0, part < parts.count {
            let current = currentSlice
            let piece = current.dropFirst(offset).prefix(room)
            if !piece.isEmpty { body(piece) }
            room -= piece.count
            count -= piece.count
            offset += piece.count
            if offset == current.count { advance() }
        }
        if isEmpty { reset() }
    }

    /// Hands over the next bytes, slice by slice, until one is not taken whole.
    /// - Parameter write: takes bytes, and returns how many it took.
    package mutating func drain(_ write: (UnsafeRawBufferPointer) -> Int) {
        while part < parts.count {
            let current = currentSlice
            let rest = current.dropFirst(offset)
            let written = rest.isEmpty ? 0 : min(max(rest.withUnsafeBytes(write), 0), rest.count)
            count -= written
            offset += written
            guard offset == current.count else { return }
            advance()
        }
        reset()
    }

    private mutating func reset() {
        parts = []
        (part, slice, offset) = (0, 0, 0)
    }

    private var currentSlice: ArraySlice<UInt8> {
        switch parts[part] {
        case .bytes(let bytes): bytes[...]
        case .rows(let rows): rows.slices == 0 ? [] : rows.slice(slice)
        }
    }

    private mutating func advance() {
        offset = 0
        slice += 1
        if case .rows(let rows) = parts[part], slice < rows.slices { return }
        // What was sent is let go at once: it may be an old catalog, of which this was the last reader.
        parts[part] = .bytes([])
        part += 1
        slice = 0
    }
}
