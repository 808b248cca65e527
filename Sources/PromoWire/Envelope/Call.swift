/// One request of a line, with the id for its reply.
package enum Call: Sendable {
    /// A valid request; without an id it is a notification and gets no reply.
    case request(Request, id: RequestID?)
    /// An invalid request, which is answered with the error.
    case rejected(RequestError, id: RequestID)
    /// An invalid notification. By JSON-RPC, it gets no reply, not even with an error.
    case dropped
}

/// A line of the protocol.
package enum Message: Sendable {
    case single(Call)
    /// The replies form one array; without replies there is no array.
    case batch([Call])

    /// The maximum length of a line, in bytes without its line feed.
    package static let maximumLength = 65_536
    /// The maximum depth of a line's JSON.
    package static let maximumDepth = 32
    /// The maximum number of requests in a batch.
    package static let maximumBatch = 100

    /// Reads a line; nil if it is blank.
    package init?(line: [UInt8]) {
        guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return nil }
        do {
            self.init(try JSONDocument(line, maximumDepth: Self.maximumDepth).root)
        } catch {
            self = .single(
                .rejected(
                    RequestError(.parseError, "The line is not strict JSON: \(error). \(Self.hint)"), id: .null))
        }
    }

    private init(_ value: JSONValue) {
        guard value.kind == .array else {
            self = .single(Call(value))
            return
        }
        let calls = value.elements.prefix(Self.maximumBatch + 1).map(Call.init)
        switch calls.count {
        case 0: self = .single(.invalid("A batch needs at least one request. \(Self.hint)"))
        case 1...Self.maximumBatch: self = .batch(calls)
        default: self = .single(.invalid("A batch holds at most \(Self.maximumBatch) requests. \(Self.hint)"))
        }
    }

    /// An example for people who try the protocol out.
    static let hint = #"A line that works: {"method":"list"}"#
}

extension Call {
    /// Reads a request in either form: JSON-RPC 2.0 if it has a member `jsonrpc`, else flat.
    fileprivate init(_ value: JSONValue) {
        guard value.kind == .object else {
            self = .invalid("A request is a JSON object. \(Message.hint)")
            return
        }
        let envelope = Envelope(value)
        // Without a well-formed id, the id of the reply is null. A line with an invalid envelope is not a notification.
        let id = envelope.id.flatMap(RequestID.init)
        let replyID = id ?? .null
        do {
            try envelope.check()
        } catch {
            self = .rejected(error, id: replyID)
            return
        }
        let isNotification = envelope.isStrict && id == nil
        do {
            self = .request(try envelope.request(), id: isNotification ? nil : replyID)
        } catch {
            self = isNotification ? .dropped : .rejected(error, id: replyID)
        }
    }

    fileprivate static func invalid(_ message: String) -> Call {
        .rejected(RequestError(.invalidRequest, message), id: .null)
    }
}
