/// Replies to be sent, one per line. The replies of a batch are the elements of an array on one line.
///
/// For a notification nothing is written, so nothing has to be removed again.
package struct ReplyLines: Sendable {
    private enum Line: Sendable {
        case single
        /// A batch without a reply so far.
        case batch
        /// A batch whose array has begun.
        case array
    }

    private var writer = JSONWriter()
    private var line = Line.single

    /// No replies.
    package init() {}

    /// The number of bytes, including shared ones.
    package var count: Int { writer.count }

    /// Whether a batch's array has begun and has not ended.
    package var isArrayOpen: Bool { line == .array }

    /// All bytes, including shared ones.
    package var text: [UInt8] { writer.text }

    /// Begins a batch, to which the following replies belong.
    package mutating func beginBatch() {
        line = .batch
    }

    /// Ends a batch, and its array if that has begun.
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

    /// Writes a reply of which only the id is new. It must not be called within a batch.
    /// - Parameters:
    ///   - id: the range of the id in the request's line; nil for null.
    ///   - line: the request's line.
    ///   - rest: the reply after the id, including the line feed.
    package mutating func reply(to id: Range<Int>?, of line: Span<UInt8>, rest: [UInt8]) {
        writer.append(bytes: Self.start)
        if let id { writer.append(bytes: line.extracting(id)) } else { writer.append(bytes: RequestID.null.json) }
        writer.append(bytes: rest)
    }

    /// The bytes after the id of the only reply here, including the line feed; nil if a part of the reply is shared.
    package func rest(behind id: RequestID) -> [UInt8]? {
        writer.isWhole ? Array(writer.bytes.dropFirst(Self.start.count + id.json.count)) : nil
    }

    /// The beginning of every reply.
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

    /// Passes the bytes to a closure, and removes those that it took. If a part of them is shared, it does nothing.
    /// - Parameter write: returns how many bytes it took; a negative number counts as none.
    package mutating func drain(_ write: (Span<UInt8>) -> Int) {
        if writer.isWhole { writer.removeFirst(max(write(writer.bytes.span), 0)) }
    }

    /// Moves everything to the end of a queue.
    package mutating func move(to output: inout OutputQueue) {
        if writer.count > 0 { output.append(&writer) }
    }
}
