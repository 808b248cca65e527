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

/// A line that a client receives.
package enum Incoming: Sendable {
    case result(JSONValue)
    case refused(Refusal)
    case event(JSONValue)

    /// An error reply.
    package struct Refusal: Equatable, Sendable {
        /// The word that programs compare; this version may not know it.
        package let reason: String
        /// The message for people.
        package let message: String
    }

    /// The maximum depth of JSON that a client reads.
    private static let maximumDepth = 64

    /// Reads a line; nil if it is neither a reply nor an event.
    package init?(line: [UInt8]) {
        guard let root = try? JSONDocument(line, maximumDepth: Self.maximumDepth).root, root.kind == .object else {
            return nil
        }
        if let result = root["result"] {
            self = .result(result)
        } else if let error = root["error"], let message = error["message"]?.outsideText {
            let reason = error["data"]?["reason"]?.ascii(upTo: 64) ?? ""
            self = .refused(Refusal(reason: reason, message: message.text))
        } else if root["method"]?.isString("event") == true, let event = root["params"], event.kind == .object {
            self = .event(event)
        } else {
            return nil
        }
    }
}
