/// A line of the protocol: one request, with the id for its reply.
package enum Call: Sendable {
    /// A valid request; without an id it is a notification and gets no reply.
    case request(Request, id: RequestID?)
    /// An invalid request, which is answered with the error.
    case rejected(RequestError, id: RequestID)

    /// The maximum length of a line, in bytes without its line feed.
    package static let maximumLength = 65_536
    /// The maximum depth of a line's JSON.
    package static let maximumDepth = 32

    /// Reads a line in either form: JSON-RPC 2.0 if it has a member `jsonrpc`, else flat.
    ///
    /// The result is nil if there is nothing to answer: the line is blank, or an invalid notification, which by JSON-RPC gets no reply.
    package init?(line: [UInt8]) {
        guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return nil }
        do {
            self.init(try JSONDocument(line, maximumDepth: Self.maximumDepth).root)
        } catch {
            self = .rejected(
                RequestError(.parseError, "The line is not strict JSON: \(error). \(Self.hint)"), id: .null)
        }
    }

    private init?(_ value: JSONValue) {
        guard value.kind == .object else {
            let rule = value.kind == .array ? "Send one request a line, not an array." : "A request is a JSON object."
            self = .rejected(RequestError(.invalidRequest, "\(rule) \(Self.hint)"), id: .null)
            return
        }
        let envelope = Envelope(value)
        // Without a well-formed id, the id of the reply is null. A line with an invalid envelope is not a notification.
        let id = envelope.id.flatMap(RequestID.init)
        do {
            try envelope.check()
        } catch {
            self = .rejected(error, id: id ?? .null)
            return
        }
        let isNotification = envelope.isStrict && id == nil
        do {
            self = .request(try envelope.request(), id: isNotification ? nil : id ?? .null)
        } catch {
            guard !isNotification else { return nil }
            self = .rejected(error, id: id ?? .null)
        }
    }

    /// An example for people who try the protocol out.
    static let hint = #"A line that works: {"method":"list"}"#
}

/// The members of a request object by their roles, before they are checked.
private struct Envelope {
    private(set) var id: JSONValue?
    private var version: JSONValue?
    private var method: JSONValue?
    private var params: JSONValue?
    private let object: JSONValue
    /// The name of the first other member.
    private var other: JSONValue?
    /// How many other members there are.
    private var others = 0

    init(_ object: JSONValue) {
        self.object = object
        for (name, value) in object.members {
            if name.isString("id") {
                id = value
            } else if name.isString("jsonrpc") {
                version = value
            } else if name.isString("method") {
                method = value
            } else if name.isString("params") {
                params = value
            } else {
                other = other ?? name
                others += 1
            }
        }
    }

    /// Whether the request has to follow JSON-RPC 2.0 strictly, rather than the flat form for scripts.
    var isStrict: Bool { version != nil }

    /// Checks that this is a request object.
    /// - Throws: `invalid-request` if it is not.
    func check() throws(RequestError) {
        if let version, !version.isString("2.0") {
            throw invalid(#""jsonrpc" must be "2.0" or left out."#)
        }
        if let id, RequestID(id) == nil {
            throw invalid(#""id" must be a string, a number or null."#)
        }
        guard let method else {
            throw invalid(#"The request has no "method"."#)
        }
        guard method.kind == .string else {
            throw invalid(#""method" must be a string."#)
        }
        if let other, isStrict || params != nil {
            let name = other.outsideText?.shown() ?? ""
            throw invalid(
                isStrict
                    ? "A JSON-RPC request has no member \"\(name)\"; a parameter goes into \"params\"."
                    : "\"\(name)\" is beside \"params\"; put it inside, or leave \"params\" out.")
        }
    }

    /// The request in a checked envelope.
    /// - Throws: `unknown-method` or `invalid-params`.
    func request() throws(RequestError) -> Request {
        guard let name = method, let description = MethodTable.method(named: name) else {
            let shown = method?.outsideText?.shown() ?? ""
            let methods = MethodTable.all.map(\.name).joined(separator: ", ")
            throw RequestError(
                .unknownMethod,
                "There is no method \"\(shown)\". The methods: \(methods). \(Call.hint)")
        }
        return try description.request(from: try arguments(of: description))
    }

    private func arguments(of method: MethodDescription) throws(RequestError) -> CallArguments {
        guard let params else { return CallArguments(object: object, isFlat: true, count: others) }
        let isNone = params.kind == .array && params.elements.first { _ in true } == nil
        guard params.kind == .object || isNone else {
            throw RequestError(.invalidParams, "\"params\" of \(method.name) must be an object: \(method.example)")
        }
        return CallArguments(object: params, isFlat: false, count: params.members.reduce(0) { count, _ in count + 1 })
    }

    private func invalid(_ message: String) -> RequestError {
        RequestError(.invalidRequest, "\(message) \(Call.hint)")
    }
}
