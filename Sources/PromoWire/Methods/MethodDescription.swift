/// A method of the protocol: its name, its parameters, its result, and how its arguments become a request.
package struct MethodDescription: Sendable {
    /// The name in a request's `method`.
    package let name: String
    /// What the method does, in one sentence.
    package let summary: String
    package let parameters: [ParameterDescription]
    /// The errors that the method may answer, in the order of ``ErrorReason``.
    package let errors: [ErrorReason]
    /// Whether calling the method twice has the same effect as calling it once, so that a client may repeat a call after it lost the
    /// connection. A review that was granted must not be requested again, and a tap must not be counted twice.
    package let isRepeatable: Bool

    // A closure, because the schema of status is built from the table that holds this description.
    private let makeResult: @Sendable () -> ValueSchema
    private let makeRequest: @Sendable (Arguments) -> Request

    init(
        _ name: String, _ summary: String, _ parameters: [ParameterDescription],
        _ result: @autoclosure @escaping @Sendable () -> ValueSchema,
        errors: [ErrorReason] = [], isRepeatable: Bool = false, makeRequest: @escaping @Sendable (Arguments) -> Request
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.isRepeatable = isRepeatable
        makeResult = result
        let reasons = errors + [.invalidParams, .internal, .busy]
        self.errors = ErrorReason.allCases.filter(reasons.contains)
        self.makeRequest = makeRequest
    }

    /// The schema of the method's result.
    package var result: ValueSchema { makeResult() }

    /// Checks the arguments of a call and turns them into a request.
    /// - Throws: `invalid-params` if an argument is unknown, has the wrong type, or is missing.
    func request(from arguments: [Argument]) throws(RequestError) -> Request {
        for argument in arguments {
            guard let parameter = parameters.first(where: { argument.name.isString($0.name) }) else {
                throw unknown(argument.name.outsideText ?? "")
            }
            guard parameter.type.accepts(argument.value) else {
                throw invalid("\"\(parameter.name)\" of \(name) must be \(parameter.type).")
            }
        }
        for parameter in parameters where parameter.isRequired {
            guard arguments.contains(where: { $0.name.isString(parameter.name) }) else {
                throw invalid("\(name) needs \"\(parameter.name)\", \(parameter.type). For example: \(example)")
            }
        }
        return makeRequest(Arguments(arguments))
    }

    /// The required parameters of a call, or its first one, as a JSON object.
    package var exampleParameters: String {
        let required = parameters.filter(\.isRequired)
        let shown = required.isEmpty ? Array(parameters.prefix(1)) : required
        return "{\(Self.members(shown))}"
    }

    /// A line that calls the method with its required parameters.
    var example: String {
        let members = Self.members(parameters.filter(\.isRequired))
        return "{\"method\":\"\(name)\"\(members.isEmpty ? "" : ",")\(members)}"
    }

    private static func members(_ parameters: [ParameterDescription]) -> String {
        parameters.map { "\"\($0.name)\":\($0.type.example)" }.joined(separator: ",")
    }

    private func unknown(_ argument: OutsideText) -> RequestError {
        let shown = argument.shown()
        guard !parameters.isEmpty else {
            return invalid("\(name) takes no parameters, but the request has \"\(shown)\".")
        }
        if let meant = parameters.first(where: { $0.isProbablyMeant(by: argument) }) {
            return invalid("\(name) has no parameter \"\(shown)\". Did you mean \"\(meant.name)\", \(meant.type)?")
        }
        let names = parameters.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return invalid("\(name) has no parameter \"\(shown)\". It takes \(names).")
    }

    private func invalid(_ message: String) -> RequestError {
        RequestError(.invalidParams, message)
    }
}

/// An argument of a call, before it is checked.
struct Argument {
    let name: JSONValue
    let value: JSONValue
}

/// The checked arguments of a call, by name.
struct Arguments {
    private let arguments: [Argument]

    init(_ arguments: [Argument]) {
        self.arguments = arguments
    }

    subscript(name: String) -> JSONValue? {
        arguments.first { $0.name.isString(name) }?.value
    }
}
