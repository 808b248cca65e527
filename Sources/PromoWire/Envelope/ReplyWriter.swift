extension JSONWriter {
    /// Writes a reply object whose `result` the closure writes.
    package mutating func reply(to id: RequestID, result: (inout JSONWriter) -> Void) {
        object { writer in
            writer.append(#""jsonrpc":"2.0","id":"#)
            writer.value(json: id.json)
            writer.name("result")
            result(&writer)
        }
    }

    /// Writes an error reply object.
    package mutating func reply(to id: RequestID, error: RequestError) {
        object { writer in
            writer.append(#""jsonrpc":"2.0","id":"#)
            writer.value(json: id.json)
            writer.errorMember(code: error.reason.code, reason: error.reason.rawValue, message: error.message)
        }
    }
}
