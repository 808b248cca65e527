/// Replies on their way out, each on a line; those of a batch share one, as the elements of an array.
///
/// A notification gets no reply: nothing is written for it, so nothing has to be taken back.
package struct ReplyLines: Sendable {
    private enum Line: Sendable {
        case single
        /// A batch of which no reply has been written.
        case batch
        /// A batch whose array has begun.
        case array
    }

    private var writer = JSONWriter()
    private var line = Line.single

    /// Lines of which none is written.
    package init() {}

    /// How many bytes wait to be taken, shared rows included.
    package var count: Int { writer.count }

    /// Whether a batch's array has begun and has not ended.
    package var isArrayOpen: Bool { line == .array }

    /// Everything that waits to be taken, shared rows included.
    package var text: [UInt8] { writer.text }

    /// What follows belongs to one batch.
    package mutating func beginBatch() {
        line = .batch
    }

    /// Ends a batch, whose array has to be closed if it was begun.
    package mutating func endBatch() {
        if line == .array { writer.append("]\n") }
        line = .single
    }

    /// Writes a reply whose `result` the closure writes; nothing without an id.
    package mutating func reply(to id: RequestID?, result: (inout JSONWriter) -> Void) {
        guard let id else { return }
        begin()
        writer.reply(to: id, result: result)
        if line == .single { writer.append("\n") }
    }

    /// Writes an error reply; nothing without an id.
    package mutating func reply(to id: RequestID?, error: RequestError) {
        guard let id else { return }
        begin()
        writer.reply(to: id, error: error)
        if line == .single { writer.append("\n") }
    }

    /// Writes a reply of which all but the id was written before; only between lines, never in a batch.
    /// - Parameters:
    ///   - id: the bytes of the id; nil for null.
    ///   - rest: what stands behind the id, with the line feed.
    package mutating func reply(to id: UnsafeRawBufferPointer?, rest: [UInt8]) {
        writer.append(bytes: Self.start)
        if let id { writer.append(bytes: id) } else { writer.append(bytes: RequestID.null.json) }
        writer.append(bytes: rest)
    }

    /// What stands behind the id of the only reply here, with the line feed, for another like it; nil if rows in it are shared.
    package func rest(behind id: RequestID) -> [UInt8]? {
        writer.isWhole ? Array(writer.bytes.dropFirst(Self.start.count + id.json.count)) : nil
    }

    /// What every reply begins with.
    private static let start = Array(#"{"jsonrpc":"2.0","id":"#.utf8)

    private mutating func begin() {
        switch line {
        case .single: break
        case .batch:
            writer.append("[")
            line = .array
        case .array: writer.append(",")
        }
    }

    /// Hands over what waits, from its beginning, if it lies in one piece; what is not taken goes on waiting.
    /// - Parameter write: takes bytes, and returns how many it took; fewer than none count as none.
    package mutating func drain(_ write: (UnsafeRawBufferPointer) -> Int) {
        if writer.isWhole { writer.removeFirst(max(writer.bytes.withUnsafeBytes(write), 0)) }
    }

    /// Moves everything that was written behind what waits in a queue.
    package mutating func move(to output: inout OutputQueue) {
        if writer.count > 0 { output.append(&writer) }
    }
}
