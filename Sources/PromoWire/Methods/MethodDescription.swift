/// A method of the protocol: its name, its parameters, its result, and how its arguments become a request.
package final class MethodDescription: Sendable {
    /// With which requests of its line a request waits for its reply.
    package enum WaitingGroup: Sendable {
        case alone
        /// Those that the control plane answers soon, and that do not depend on each other's replies.
        case command
        case reload
    }

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
    /// Whether subscribers may be told of a call.
    package let mayCauseEvents: Bool
    /// With which requests of its line a call waits for its reply. Only the control plane answers those that wait together.
    package let waitingGroup: WaitingGroup

    // A closure, because the schema of status is built from the table that holds this description.
    private let makeResult: @Sendable () -> ValueSchema
    private let makeRequest: @Sendable (Arguments) -> Request

    fileprivate init(
        _ name: String, _ summary: String, _ parameters: [ParameterDescription], errors: [ErrorReason],
        isRepeatable: Bool, mayCauseEvents: Bool, waitingGroup: WaitingGroup,
        result: @escaping @Sendable () -> ValueSchema, makeRequest: @escaping @Sendable (Arguments) -> Request
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        let reasons = errors + [.invalidParams, .internal, .busy]
        self.errors = ErrorReason.allCases.filter(reasons.contains)
        self.isRepeatable = isRepeatable
        self.mayCauseEvents = mayCauseEvents
        self.waitingGroup = waitingGroup
        makeResult = result
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
            guard parameter.accepts(argument.value) else {
                throw invalid("\"\(parameter.name)\" of \(name) must be \(parameter.words).")
            }
        }
        let arguments = Arguments(arguments)
        for parameter in parameters where parameter.isRequired && arguments[parameter.name] == nil {
            throw invalid("\(name) needs \"\(parameter.name)\", \(parameter.words). For example: \(example)")
        }
        return makeRequest(arguments)
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
        parameters.map { "\"\($0.name)\":\($0.example)" }.joined(separator: ",")
    }

    private func unknown(_ argument: OutsideText) -> RequestError {
        let shown = argument.shown()
        guard !parameters.isEmpty else {
            return invalid("\(name) takes no parameters, but the request has \"\(shown)\".")
        }
        if let meant = parameters.first(where: { $0.isProbablyMeant(by: argument) }) {
            return invalid("\(name) has no parameter \"\(shown)\". Did you mean \"\(meant.name)\", \(meant.words)?")
        }
        let names = parameters.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return invalid("\(name) has no parameter \"\(shown)\". It takes \(names).")
    }

    private func invalid(_ message: String) -> RequestError {
        RequestError(.invalidParams, message)
    }
}

/// A method with its parameters as a value.
struct MethodSignature<Parameters: Sendable>: Sendable {
    let description: MethodDescription
    private let parameters: [Parameter<Parameters>]

    /// - Parameters:
    ///   - blank: the parameters of a call that has none.
    ///   - catalog: the parameter that names the catalog; nil if there is none.
    ///   - make: what a request asks for that has these parameters.
    init(
        _ name: String, _ summary: String, _ parameters: [Parameter<Parameters>], from blank: Parameters,
        catalog: Parameter<CatalogReference?>? = .catalog,
        result: @autoclosure @escaping @Sendable () -> ValueSchema, errors: [ErrorReason] = [],
        isRepeatable: Bool = false, mayCauseEvents: Bool = false,
        waitingGroup: MethodDescription.WaitingGroup = .alone,
        make: @escaping @Sendable (Parameters) -> Request.Method
    ) {
        self.parameters = parameters
        description = MethodDescription(
            name, summary, parameters.map(\.description) + [catalog?.description].compactMap(\.self),
            errors: errors + (catalog == nil ? [] : [.unknownCatalog]), isRepeatable: isRepeatable,
            mayCauseEvents: mayCauseEvents, waitingGroup: waitingGroup, result: result
        ) { arguments in
            var (values, reference) = (blank, CatalogReference?.none)
            for parameter in parameters { parameter.read(arguments, &values) }
            catalog?.read(arguments, &reference)
            return Request(make(values), of: reference)
        }
    }

    func call(_ values: Parameters) -> MethodCall {
        MethodCall(description: description) { [parameters] writer in
            for parameter in parameters { parameter.write(values, &writer) }
        }
    }
}

/// A method with the parameters of a call.
struct MethodCall {
    let description: MethodDescription
    /// Writes the members of `params`.
    let writeParameters: (inout JSONWriter) -> Void
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
