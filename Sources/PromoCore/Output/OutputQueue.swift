package import PromoWire

/// The bytes to send to a client, in order: bytes of its own, and references to rows and pictures that all replies share.
package struct OutputQueue: Sendable {
    private enum Part: Sendable {
        case bytes(SharedBytes, sent: Int)
        case rows(UnsentRows)

        /// The number of bytes that are left to send.
        var size: Int {
            switch self {
            case .bytes(let shared, let sent): shared.bytes.count - sent
            case .rows(let rows): rows.size
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

    /// The number of bytes in the queue.
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

    /// Appends an array of the rows at some positions, in order; if they are many, it refers to them instead of copying them.
    package mutating func array(of rows: ListRows, _ ranges: [Range<Int>]) {
        json.append("[")
        var unsent = UnsentRows(rows, ranges)
        if unsent.size > Self.copied {
            append(.rows(unsent))
        } else {
            unsent.drain { bytes in
                json.append(bytes: bytes)
                return bytes.count
            }
        }
        json.append("]")
    }

    /// Appends bytes; if they are many, it refers to them instead of copying them.
    package mutating func append(_ shared: SharedBytes) {
        guard shared.bytes.count <= Self.copied else { return append(.bytes(shared, sent: 0)) }
        json.append(bytes: shared.bytes)
    }

    /// Moves everything from another queue to the end of this one. The other one keeps its buffer.
    package mutating func append(_ other: inout OutputQueue) {
        for part in other.parts { append(part) }
        json.append(bytes: other.json.bytes)
        other.clear()
    }

    /// Moves everything from another queue to the end of this one, with its buffer if nothing is here.
    mutating func take(_ other: inout OutputQueue) {
        if isEmpty { swap(&self, &other) } else { append(&other) }
    }

    private mutating func append(_ part: Part) {
        if !json.bytes.isEmpty {
            // A copy, because the buffer is usually larger.
            parts.append(.bytes(SharedBytes(Array(json.bytes[...])), sent: 0))
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
        while var part = parts.first {
            switch part {
            case .bytes(let shared, let sent):
                let bytes = shared.bytes
                part = .bytes(shared, sent: sent + max(write(bytes.span.extracting(sent...)), 0))
            case .rows(var rows):
                rows.drain(write)
                part = .rows(rows)
            }
            guard part.size == 0 else { return parts[0] = part }
            // A sent part is released at once, because it may have the last reference to an old catalog.
            parts.removeFirst()
        }
        if !json.bytes.isEmpty { json.removeFirst(max(write(json.bytes.span), 0)) }
    }
}
