/// The members of a request object, told apart but not yet checked.
struct Envelope {
    private(set) var id: JSONValue?
    private var version: JSONValue?
    private var method: JSONValue?
    private var params: JSONValue?
    private var others: [Argument] = []

    init(_ object: JSONValue) {
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
                others.append(Argument(name: name, value: value))
            }
        }
    }

    /// Whether the specification's letter counts rather than the short form for scripts.
    var isStrict: Bool { version != nil }

    /// Whether this is a request object at all.
    /// - Throws: `invalid-request`.
    func check() throws(RequestError) {
        if let version, !version.isString("2.0") {
            throw invalid(#""jsonrpc" is "2.0" or left out."#)
        }
        if let id, RequestID(id) == nil {
            throw invalid(#""id" is a string, a number or null."#)
        }
        guard let method else {
            throw invalid(#"The request has no "method"."#)
        }
        guard method.kind == .string else {
            throw invalid(#""method" is a string."#)
        }
        if let other = others.first, isStrict || params != nil {
            let name = (other.name.string ?? "").shortened()
            throw invalid(
                isStrict
                    ? "A JSON-RPC request has no member \"\(name)\"; a parameter goes into \"params\"."
                    : "\"\(name)\" stands beside \"params\"; put it inside, or leave \"params\" out.")
        }
    }

    /// The request that a checked envelope holds.
    /// - Throws: `unknown-method` or `invalid-params`.
    func request() throws(RequestError) -> Request {
        guard let name = method?.string, let description = MethodTable.method(named: name) else {
            let shown = (method?.string ?? "").shortened()
            let methods = MethodTable.all.map(\.name).joined(separator: ", ")
            throw RequestError(
                .unknownMethod,
                "There is no method \"\(shown)\". The methods: \(methods). \(Message.hint)")
        }
        return try description.request(from: try arguments(of: description))
    }

    private func arguments(of method: MethodDescription) throws(RequestError) -> [Argument] {
        guard let params else { return others }
        guard params.kind == .object else {
            throw RequestError(.invalidParams, "\"params\" of \(method.name) is an object: \(method.example)")
        }
        return params.members.map(Argument.init)
    }

    private func invalid(_ message: String) -> RequestError {
        RequestError(.invalidRequest, "\(message) \(Message.hint)")
    }
}
