/// The members of a request object by their roles, before they are checked.
struct Envelope {
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
                "There is no method \"\(shown)\". The methods: \(methods). \(Message.hint)")
        }
        return try description.request(from: try arguments(of: description))
    }

    private func arguments(of method: MethodDescription) throws(RequestError) -> CallArguments {
        guard let params else { return CallArguments(object: object, isFlat: true, count: others) }
        guard params.kind == .object else {
            throw RequestError(.invalidParams, "\"params\" of \(method.name) must be an object: \(method.example)")
        }
        return CallArguments(object: params, isFlat: false, count: params.members.reduce(0) { count, _ in count + 1 })
    }

    private func invalid(_ message: String) -> RequestError {
        RequestError(.invalidRequest, "\(message) \(Message.hint)")
    }
}
