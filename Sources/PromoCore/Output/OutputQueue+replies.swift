package import PromoWire

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
