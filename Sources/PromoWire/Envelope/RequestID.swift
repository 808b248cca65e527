/// A request's `id`, which the reply repeats byte for byte.
package struct RequestID: Equatable, Sendable {
    /// The JSON of a string, a number or null.
    package let json: [UInt8]

    /// The id of a reply to a line without an id.
    package static let null = RequestID(json: Array("null".utf8))

    private init(json: [UInt8]) {
        self.json = json
    }

    /// The id in a value; nil if it is not a string, a number or null.
    package init?(_ value: JSONValue) {
        switch value.kind {
        case .string, .number, .null: json = Array(value.text)
        case .object, .array, .true, .false: return nil
        }
    }
}

extension JSONWriter {
    /// Writes a reply object whose `result` the closure writes.
    package mutating func reply(to id: RequestID, result: (inout JSONWriter) -> Void) {
        object { writer in
            writer.append(#""jsonrpc":"2.0","id":"#)
            writer.value(json: id.json[...])
            writer.name("result")
            result(&writer)
        }
    }

    /// Writes an error reply object.
    package mutating func reply(to id: RequestID, error: RequestError) {
        object { writer in
            writer.append(#""jsonrpc":"2.0","id":"#)
            writer.value(json: id.json[...])
            writer.errorMember(code: error.reason.code, reason: error.reason.rawValue, message: error.message)
        }
    }
}
