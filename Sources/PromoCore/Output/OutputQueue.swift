package import PromoWire

/// The bytes to send to a client, in order: bytes of its own, and references to rows and pictures that all replies share.
package struct OutputQueue: Sendable {
    private enum Part: Sendable {
        case bytes(SharedBytes, offset: Int)
        case rows(SharedRows, SharedRows.Cursor)

        /// At least the number of bytes that are left.
        var size: Int {
            switch self {
            case .bytes(let shared, let offset): shared.bytes.count - offset
            case .rows(let rows, _): rows.size
            }
        }
    }

    /// Up to this many shared bytes are copied, because that is cheaper than splitting the text into parts.
    private static let copied = 8192

    private var parts: [Part] = []
    /// The bytes that were written after the parts.
    package var json = JSONWriter()

    /// Creates an empty queue.
    package init() {}

    /// Creates a queue with the contents of another, which keeps its buffer.
    init(moving other: inout OutputQueue) {
        append(&other)
    }

    /// Whether the queue is empty.
    package var isEmpty: Bool { parts.isEmpty && json.bytes.isEmpty }

    /// At least the number of bytes in the queue; of rows in one language, their size in all languages counts.
    package var size: Int { parts.reduce(json.bytes.count) { $0 + $1.size } }

    /// Whether nothing in it is shared, so that its whole text is in ``json``.
    var isWhole: Bool { parts.isEmpty }

    /// All bytes, including shared ones.
    package var text: [UInt8] {
        var (queue, text) = (self, [UInt8]())
        queue.drain { bytes in
            text.append(copying: bytes)
            return bytes.count
        }
        return text
    }

    /// Appends an array of rows; if they are many, it refers to them instead of copying them.
    package mutating func array(of rows: SharedRows) {
        json.append("[")
        var cursor = SharedRows.Cursor()
        if rows.size > Self.copied {
            append(.rows(rows, cursor))
        } else {
            rows.hand(over: &cursor) { slice in
                json.append(bytes: slice)
                return slice.count
            }
        }
        json.append("]")
    }

    /// Appends bytes; if they are many, it refers to them instead of copying them.
    package mutating func append(_ shared: SharedBytes) {
        guard shared.bytes.count <= Self.copied else { return append(.bytes(shared, offset: 0)) }
        json.append(bytes: shared.bytes)
    }

    /// Moves everything from another queue to the end of this one. The other one keeps its buffer.
    package mutating func append(_ other: inout OutputQueue) {
        for part in other.parts { append(part) }
        json.append(bytes: other.json.bytes)
        other.clear()
    }

    private mutating func append(_ part: Part) {
        if !json.bytes.isEmpty {
            // A copy, because the buffer is usually larger.
            parts.append(.bytes(SharedBytes(Array(json.bytes[...])), offset: 0))
            json.removeFirst(json.bytes.count)
        }
        parts.append(part)
    }

    /// Removes everything, and keeps the buffer.
    package mutating func clear() {
        parts = []
        json.removeFirst(json.bytes.count)
    }

    /// Passes the bytes to a closure, piece by piece, until it does not take a whole piece, and removes those that it took.
    /// - Parameter write: returns how many bytes it took; a negative number counts as none.
    package mutating func drain(_ write: (Span<UInt8>) -> Int) {
        while let part = parts.first {
            switch part {
            case .bytes(let shared, let offset):
                let bytes = shared.bytes
                let end = offset + max(write(bytes.span.extracting(offset...)), 0)
                parts[0] = .bytes(shared, offset: end)
                guard end == bytes.count else { return }
            case .rows(let rows, var cursor):
                rows.drain(from: &cursor) { max(write($0), 0) }
                parts[0] = .rows(rows, cursor)
                guard rows.isEnd(cursor) else { return }
            }
            // A sent part is released at once, because it may have the last reference to an old catalog.
            parts.removeFirst()
        }
        if !json.bytes.isEmpty { json.removeFirst(max(write(json.bytes.span), 0)) }
    }
}
