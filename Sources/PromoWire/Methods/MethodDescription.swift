/// A method: its name, what it takes, and how its arguments become a request.
package struct MethodDescription: Sendable {
    /// The name in a request's `method`.
    package let name: String
    /// What it does, in a sentence.
    package let summary: String
    /// What it takes.
    package let parameters: [ParameterDescription]
    /// Why it may refuse, in the order of ``ErrorReason``.
    package let errors: [ErrorReason]

    // Made when it is asked for, because what status answers is made from the table itself.
    private let makeResult: @Sendable () -> ValueSchema
    private let makeRequest: @Sendable (Arguments) -> Request

    init(
        _ name: String, _ summary: String, _ parameters: [ParameterDescription],
        _ result: @autoclosure @escaping @Sendable () -> ValueSchema,
        errors: [ErrorReason] = [], makeRequest: @escaping @Sendable (Arguments) -> Request
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        makeResult = result
        let reasons = errors + [.invalidParams, .internal, .busy]
        self.errors = ErrorReason.allCases.filter(reasons.contains)
        self.makeRequest = makeRequest
    }

    /// What it answers.
    package var result: ValueSchema { makeResult() }

    /// The request that checked arguments make.
    /// - Throws: `invalid-params` for an unknown, a wrong or a missing argument, before anything has an effect.
    func request(from arguments: [Argument]) throws(RequestError) -> Request {
        for argument in arguments {
            guard let parameter = parameters.first(where: { argument.name.isString($0.name) }) else {
                throw unknown(argument.name.string ?? "")
            }
            guard parameter.type.accepts(argument.value) else {
                throw invalid("\"\(parameter.name)\" of \(name) is \(parameter.type).")
            }
        }
        for parameter in parameters where parameter.isRequired {
            guard arguments.contains(where: { $0.name.isString(parameter.name) }) else {
                throw invalid("\(name) needs \"\(parameter.name)\", \(parameter.type): \(example)")
            }
        }
        return makeRequest(Arguments(arguments))
    }

    /// A line that calls the method with what it needs.
    var example: String {
        let arguments = parameters.filter(\.isRequired).map { ",\"\($0.name)\":\($0.type.example)" }
        return "{\"method\":\"\(name)\"\(arguments.joined())}"
    }

    private func unknown(_ argument: String) -> RequestError {
        let shown = argument.shortened()
        guard !parameters.isEmpty else {
            return invalid("\(name) takes no parameters, and \"\(shown)\" is one.")
        }
        if let meant = parameters.first(where: { $0.isProbablyMeant(by: argument) }) {
            return invalid("\(name) has no \"\(shown)\". Did you mean \"\(meant.name)\", \(meant.type)?")
        }
        let names = parameters.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return invalid("\(name) has no \"\(shown)\"; it takes \(names).")
    }

    private func invalid(_ message: String) -> RequestError {
        RequestError(.invalidParams, message)
    }
}

/// An argument of a call as it stood on the line.
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
