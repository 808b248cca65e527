/// The bytes to send to a client, in order: bytes of its own, and references to rows that all replies share.
package struct OutputQueue: Sendable {
    private enum Part: Sendable {
        case bytes([UInt8])
        case rows(SharedRows)
    }

    /// The number of bytes in the queue.
    package private(set) var count = 0

    private var parts: [Part] = []
    // The position of the next byte: its part, the slice in that part, and the offset in that slice.
    private var part = 0
    private var slice = 0
    private var offset = 0

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
            parts.append(.rows(insertion.rows))
            count += insertion.rows.count
            start = insertion.offset
        }
        append(start == 0 ? writer.bytes : Array(writer.bytes[start...]))
        writer.clear()
    }

    /// Removes the next bytes, at most `maximum`, and calls the body with each slice of them.
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

    /// Passes the bytes to a closure, slice by slice, until it does not take a whole slice, and removes those that it took.
    /// - Parameter write: returns how many bytes it took.
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
        // A part that was sent is released at once, since it may hold the last reference to an old catalog.
        parts[part] = .bytes([])
        part += 1
        slice = 0
    }
}
