/// One request of a line: what is asked, and to whom the answer goes.
package enum Call: Sendable {
    /// A request that can be carried out; without an id it is a notification and gets no reply.
    case request(Request, id: RequestID?)
    /// A request that cannot, to be answered with the error.
    case rejected(RequestError, id: RequestID)
    /// A notification that cannot be carried out, of which JSON-RPC says nothing to anybody.
    case dropped(RequestError)
}

/// A line of the protocol.
package enum Message: Sendable {
    case single(Call)
    /// The answers go into one array, and there is none where nothing is to be answered.
    case batch([Call])

    /// The longest line, in bytes without its LF.
    package static let maximumLength = 65_536
    /// How deep a line may be nested.
    package static let maximumDepth = 32
    /// The largest batch.
    package static let maximumBatch = 100

    /// Reads a line; nil where it is blank.
    package init?(line: [UInt8]) {
        guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return nil }
        do {
            self.init(try JSONDocument(line, maximumDepth: Self.maximumDepth).root)
        } catch {
            self = .single(
                .rejected(
                    RequestError(.parseError, "The line is no strict JSON text: \(error). \(Self.hint)"), id: .null))
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

    /// A line that works, for whoever is still finding out how.
    static let hint = #"A line that works: {"method":"list"}"#
}

extension Call {
    /// Reads a request in either form: JSON-RPC 2.0 where it has a member `jsonrpc`, flat where it has not.
    fileprivate init(_ value: JSONValue) {
        guard value.kind == .object else {
            self = .invalid("A request is a JSON object. \(Message.hint)")
            return
        }
        let envelope = Envelope(value)
        // Without a well-formed id the reply can name none, and a line with a broken envelope is no notification.
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
            self = isNotification ? .dropped(error) : .rejected(error, id: replyID)
        }
    }

    fileprivate static func invalid(_ message: String) -> Call {
        .rejected(RequestError(.invalidRequest, message), id: .null)
    }
}
